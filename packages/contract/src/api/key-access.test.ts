import { expect, test } from 'vitest'
import { keyAccessOf, keyRefusalOf } from './key-access.ts'
import { keyRoutes } from './keys.ts'
import { accessSubjectOf } from './route.ts'
import { allRoutes } from './routes.ts'

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const everywhere = { experiments: null } as const
const somewhere = { experiments: ['exp_1'] } as const

test('[R49,K2,K3] no key does what only owners, administrators or participants may, and none manages keys', () => {
  const forPeople = allRoutes.filter(
    (route) => route.auth !== 'researcher' || route.access === 'owner' || route.path.startsWith('/api/keys'),
  )
  expect(forPeople.length).toBeGreaterThan(30)
  for (const route of forPeople)
    for (const scope of [everywhere, somewhere])
      expect([nameOf(route), keyRefusalOf(route, { access: 'write', ...scope })]).toEqual([
        nameOf(route),
        'people_only',
      ])
  // What names people is for owners only, and so for no key.
  const naming = allRoutes.filter(({ path }) => /shares|experimentId\/participants$/.test(path))
  expect(naming).toHaveLength(3)
  for (const route of naming) expect([nameOf(route), keyAccessOf(route)]).toEqual([nameOf(route), undefined])
})

test('[R49,K3] a read key calls only GET routes; a write key, all that any key may call', () => {
  const open = allRoutes.filter((route) => keyAccessOf(route) !== undefined)
  expect(open.length).toBeGreaterThan(30)
  for (const route of open) {
    const expected = route.method === 'GET' ? undefined : 'read_only'
    expect([nameOf(route), keyRefusalOf(route, { access: 'read', ...everywhere })]).toEqual([
      nameOf(route),
      expected,
    ])
    expect(keyRefusalOf(route, { access: 'write', ...everywhere })).toBeUndefined()
  }
})

test('[R49,K8] a limited key calls only what names an experiment, and the list of them', () => {
  const limited = allRoutes.filter(
    (route) => keyAccessOf(route) && !keyRefusalOf(route, { access: 'write', ...somewhere }),
  )
  const others = limited.filter((route) => accessSubjectOf(route) === undefined)
  expect(others.map(nameOf)).toEqual(['GET /api/experiments'])
  expect(limited.length).toBeGreaterThan(20)
})

test('only the response to a new key contains one', () => {
  expect(allRoutes.filter(({ showsKey }) => showsKey)).toEqual([keyRoutes.create])
})
