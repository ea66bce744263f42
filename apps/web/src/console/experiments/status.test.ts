import { expect, test } from 'vitest'
import { stepsFrom } from './status.ts'

test.each([
  ['draft', ['Start recruiting']],
  ['recruiting', ['Pause recruiting', 'Close the study']],
  ['paused', ['Resume recruiting', 'Close the study']],
  ['closed', ['Recruit again', 'Archive']],
  ['archived', []],
] as const)('from %s', (status, labels) => {
  expect(stepsFrom(status).map(({ label }) => label)).toEqual(labels)
})

test('only closing and archiving need a confirmation', () => {
  const asked = (['draft', 'recruiting', 'paused', 'closed'] as const)
    .flatMap(stepsFrom)
    .filter(({ confirmation }) => confirmation !== undefined)
  expect(new Set(asked.map(({ to }) => to))).toEqual(new Set(['closed', 'archived']))
})
