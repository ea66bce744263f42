import { expect, test } from 'vitest'
import { mayWith } from './access.ts'
import { accessSubjectOf, defineRoute, errorsOf, subjectCodes } from './route.ts'
import { allRoutes } from './routes.ts'

const guarded = allRoutes.filter(({ auth }) => auth === 'researcher' || auth === 'admin')
const namesSomething = (path: string) => Object.keys(subjectCodes).some((name) => path.includes(`:${name}`))

test('[R37] every researcher route that names an experiment, a room or a session declares the access it requires', () => {
  for (const route of guarded) {
    const { method, path } = route
    expect(route.access !== undefined, `${method} ${path}`).toBe(namesSomething(path))
    const subject = accessSubjectOf(route)
    expect(subject !== undefined, `${method} ${path}`).toBe(route.access !== undefined)
    if (subject) expect(errorsOf(route)).toEqual(expect.arrayContaining(['FORBIDDEN', subjectCodes[subject]]))
  }
})

test('[R37] such a route does not compile without an access level, and other routes need none', () => {
  const shared = { tag: 'x', summary: 'x', envelope: 'plain', method: 'GET' } as const
  const success = { status: 200, description: 'x' }
  const forgotten = { ...shared, auth: 'researcher', path: '/api/room/:roomId/state', success } as const
  // @ts-expect-error: it names a room but does not declare the access it requires
  expect(accessSubjectOf(defineRoute(forgotten))).toBeUndefined()
  expect(accessSubjectOf(defineRoute({ ...forgotten, access: 'view' }))).toBe('roomId')
  expect(accessSubjectOf(defineRoute({ ...forgotten, path: '/api/rooms' }))).toBeUndefined()
})

test('[R37] no route that changes an experiment is open to people with view access', () => {
  const changing = guarded.filter(
    // A try is an experiment of its own, which ends with it.
    ({ method, access, work, path }) =>
      access && method !== 'GET' && work !== 'check' && !path.includes('/tries'),
  )
  expect(changing.length).toBeGreaterThan(0)
  for (const { method, path, access } of changing) expect(access, `${method} ${path}`).not.toBe('view')
})

test('[R37] each access level allows the right actions', () => {
  const may = (access: Parameters<typeof mayWith>[0]) =>
    (['view', 'edit', 'owner'] as const).filter((needed) => mayWith(access, needed))
  expect(may('view')).toEqual(['view'])
  expect(may('edit')).toEqual(['view', 'edit'])
  expect(may('owner')).toEqual(['view', 'edit', 'owner'])
  expect(may('admin')).toEqual(['view', 'edit', 'owner'])
})
