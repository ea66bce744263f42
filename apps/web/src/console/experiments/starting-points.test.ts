import { ExperimentDefinition, unknownOutcomes } from '@atrium/contract'
import { checkComponents, checkDefinition } from '@atrium/definition-checks'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { startingPoints } from './starting-points.ts'

test.each(startingPoints)('$id is sound as it is, without a warning', ({ definition }) => {
  expect(Value.Check(ExperimentDefinition, definition)).toBe(true)
  const { errors, warnings } = checkComponents(definition)
  expect([...checkDefinition(definition), ...errors, ...unknownOutcomes(definition), ...warnings]).toEqual([])
})
