import { expect, test } from 'vitest'
import { CallFailed } from '../../api/call.ts'
import { refusedPlaces } from './findings.ts'

test('the places of a refused definition', () => {
  const issues = [{ path: '/states/0', message: 'can never end' }]
  expect(refusedPlaces(new CallFailed('VALIDATION_FAILED', 'No', 400, { issues }))).toEqual(issues)
})

test('another failure has no places', () => {
  expect(refusedPlaces(new CallFailed('STATUS_CONFLICT', 'No', 409))).toEqual([])
  expect(refusedPlaces(new CallFailed('X', 'No', 400, { issues: [1, null, { path: 2 }] }))).toEqual([])
  expect(refusedPlaces(new Error('No'))).toEqual([])
})
