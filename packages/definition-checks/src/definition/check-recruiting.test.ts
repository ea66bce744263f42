import type { ExperimentDefinition } from '@atrium/contract'
import { unknownOutcomes } from '@atrium/contract'
import { expect, test } from 'vitest'
import { checkRecruiting } from './check-recruiting.ts'

const states = [{ id: 's1', components: [] }]
const definition: ExperimentDefinition = {
  name: 'Study',
  states,
  completion: {
    codes: { SUCCESS: 'DONE', TIMEOUT: 'LATE' },
    redirectUrl: 'https://lab.example/?c={{code}}',
  },
  recruiting: {
    prolific: {
      codes: { SUCCESS: 'C1', SCREENED_OUT: 'C2', QUOTA_FULL: 'C3' },
      studies: { other: { codes: { SUCCESS: 'D1', STUDY_CLOSED: 'D4' } } },
    },
    sona: { school: 'uni', experimentId: '7', creditToken: 'tok', creditFor: ['SUCCESS', 'TIMEOUT'] },
    mturk: {},
  },
}

test('[RC3] codes that are missing or would give a payment away are refused, and so are unknown outcomes', () => {
  const issues = (change: Partial<ExperimentDefinition>) =>
    checkRecruiting({ name: 'x', states, ...change }).map(({ path, message }) => `${path} ${message}`)
  expect(checkRecruiting(definition)).toEqual([])
  expect(issues({ recruiting: { prolific: {} } })).toEqual([
    expect.stringContaining('/recruiting/prolific/codes needs a code for SUCCESS'),
  ])
  expect(issues({ recruiting: { prolific: { studies: { a: { codes: { TIMEOUT: 'x' } } } } } })).toEqual([
    expect.stringContaining('/recruiting/prolific/studies/a/codes needs a code for SUCCESS'),
  ])
  expect(issues({ completion: { codes: { SUCCESS: 'A', QUOTA_FULL: 'A' } } })).toEqual([
    expect.stringContaining('/completion/codes QUOTA_FULL must not have the code for SUCCESS'),
  ])
  expect(issues({ recruiting: { mturk: { submitFor: ['SUCESS'] } } })).toEqual([
    expect.stringContaining('did you mean ‘SUCCESS’?'),
  ])
  const misspelt = { prolific: { codes: { SUCCESS: 'a', TIMEUOT: 'b' } } }
  expect(unknownOutcomes({ name: 'x', states, recruiting: misspelt })).toMatchObject([
    { path: '/recruiting/prolific/codes/TIMEUOT' },
  ])
})
