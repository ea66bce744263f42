import { expect, test } from 'vitest'
import { checkText, formatDefinition } from '../definition/check-text.ts'
import { startingPoints } from './starting-points.ts'

test.each(startingPoints)('$id can be saved as it is, without a warning', ({ definition }) => {
  const checked = checkText(formatDefinition(definition))
  expect(checked.findings).toEqual([])
  expect(checked.definition).toEqual(definition)
})
