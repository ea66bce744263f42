import { expect, test } from 'vitest'
import { findUnsteadyTests } from './unsteady-tests.mjs'

const run = (...tests) => ({
  testResults: [
    {
      name: 'rooms.test.ts',
      status: tests.every(([, status]) => status === 'passed') ? 'passed' : 'failed',
      assertionResults: tests.map(([fullName, status, ...failureMessages]) => ({
        fullName,
        status,
        failureMessages,
      })),
    },
  ],
})

test('tests that passed in every run are not named', () => {
  expect(findUnsteadyTests([run(['joins', 'passed']), run(['joins', 'passed'])])).toEqual([])
})

test('a test that failed once is named with how often it passed and what it said', () => {
  const failed = ['joins', 'failed', 'Error: not within 50 ms\n  at wait.ts']
  expect(
    findUnsteadyTests([
      run(['joins', 'passed']),
      run(failed, ['leaves', 'passed']),
      run(['joins', 'passed']),
    ]),
  ).toEqual([
    { name: 'rooms.test.ts > leaves', passed: 1, message: 'did not run' },
    { name: 'rooms.test.ts > joins', passed: 2, message: 'Error: not within 50 ms' },
  ])
})

test('a file that did not load and a run that left no report are named too', () => {
  const broken = { name: 'broken.test.ts', status: 'failed', message: 'cannot import', assertionResults: [] }
  expect(findUnsteadyTests([{ testResults: [broken] }, undefined])).toEqual([
    { name: 'broken.test.ts', passed: 0, message: 'cannot import' },
    { name: 'the run itself', passed: 0, message: 'left no report' },
  ])
})
