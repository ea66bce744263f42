import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changesBetween } from './changes.ts'

const folder = new URL('../../../../../examples/', import.meta.url)
const examples = readdirSync(folder).filter((name) => name.endsWith('.json'))
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))

const before = {
  name: 'Trust',
  states: [
    { id: 'a', name: 'Ask', components: [{ id: 'q', type: 'slider', min: 0, max: 10 }] },
    { id: 'b', components: [] },
    { id: 'c', components: [] },
  ],
  roles: ['x', 'y'],
}

test.each(examples)(
  '%s has not changed when it is the same, whatever the order of its properties',
  (name) => {
    const reversed = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, inner]) => [key, reversed(inner)]),
            )
          : value
    expect(changesBetween(read(name), reversed(read(name)))).toEqual([])
  },
)

test('a value says what it was', () => {
  const after = structuredClone(before)
  if (after.states[0]?.components[0]) after.states[0].components[0].max = 20
  expect(changesBetween(before, after)).toEqual([
    { kind: 'changed', pointer: '/states/0/components/0/max', before: 10, after: 20 },
  ])
})

test('parts are known by their ids: one that comes in between changes none of the others', () => {
  const [a, b, c] = before.states
  const added = { id: 'n', components: [] }
  expect(changesBetween(before, { ...before, states: [a, added, b, c] })).toEqual([
    { kind: 'added', pointer: '/states/1', after: added },
  ])
  expect(changesBetween(before, { ...before, states: [b, c] })).toEqual([
    { kind: 'removed', pointer: '/states/0', before: a },
  ])
  expect(changesBetween(before, { ...before, states: [b, c, a] })).toEqual([
    { kind: 'moved', pointer: '/states/2' },
  ])
})

test('lists without ids are one value', () => {
  expect(changesBetween(before, { ...before, roles: ['x', 'z'] })).toEqual([
    { kind: 'changed', pointer: '/roles', before: ['x', 'y'], after: ['x', 'z'] },
  ])
})

test('properties come and go', () => {
  const { roles, ...without } = before
  expect(changesBetween(before, without)).toEqual([{ kind: 'removed', pointer: '/roles', before: roles }])
  expect(changesBetween(without, before)).toEqual([{ kind: 'added', pointer: '/roles', after: roles }])
})

test('as many parts as a definition can hold are compared, in whatever order', () => {
  const part = (id: number) => ({ id: id.toString(36) })
  const parts = Array.from({ length: 60_000 }, (_, id) => part(id))
  const changes = changesBetween({ parts }, { parts: parts.toReversed() })
  expect(changes).toHaveLength(59_999)
  expect(changes.every(({ kind }) => kind === 'moved')).toBe(true)
})
