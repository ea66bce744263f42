import { expect, test } from 'vitest'
import { commandsFor } from './check.ts'

const names = (changed?: string[]) => commandsFor(changed).map(({ name }) => name)

test('everything is checked unless only what has changed is asked for', () => {
  expect(names()).toEqual([
    ...['format and lint', 'types', 'web app types', 'dead code', 'boundaries', 'timing in tests'],
    ...['licences', 'generated files'],
  ])
  for (const { name, args } of commandsFor())
    if (name === 'format and lint' || name === 'boundaries') expect(args.at(-1)).toBe('.')
})

test('a change is checked by what it can fail, on its own files where that is enough', () => {
  const view = 'apps/web/src/participant/pages/studies-page.tsx'
  const ofView = commandsFor([view, 'README.md'])
  expect(ofView.map(({ name }) => name)).toEqual([
    ...['format and lint', 'types', 'web app types', 'boundaries', 'timing in tests', 'generated files'],
  ])
  expect(ofView.find(({ name }) => name === 'boundaries')?.args.at(-1)).toBe(view)
  expect(names(['README.md'])).toEqual(['format and lint', 'timing in tests'])
  expect(names(['package-lock.json'])).toContain('licences')
  expect(names(['docs/reference/api.md'])).toContain('generated files')
  expect(names(['apps/server/src/app.ts'])).not.toContain('web app types')
})
