import { describe, expect, test } from 'vitest'
import type { ExperimentDefinition } from './definition.ts'
import { completionFor, lateCompletionFor } from './leaving.ts'
import { claimsEarnedOutcome } from './outcomes.ts'
import { exitTo } from './recruiting-site.ts'

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
const leave = (outcome: string, metadata: Record<string, unknown>) =>
  completionFor(definition, { outcome, participantId: 'p', metadata })
const prolific = (code: string) => ({
  completionCode: code,
  redirectUrl: `https://app.prolific.com/submissions/complete?cc=${code}`,
})

describe('[RC1] people return to the site that recruited them', () => {
  test.each([
    ['the code of all studies', 'SUCCESS', { PROLIFIC_PID: 'a' }, prolific('C1')],
    ['the code of their study', 'SUCCESS', { PROLIFIC_PID: 'a', STUDY_ID: 'other' }, prolific('D1')],
    ['a study without that code', 'SCREENED_OUT', { PROLIFIC_PID: 'a', STUDY_ID: 'other' }, prolific('C2')],
    ['the code of every site', 'TIMEOUT', { PROLIFIC_PID: 'a', STUDY_ID: 'constructor' }, prolific('LATE')],
    ['no code', 'PARTNER_LEFT', { PROLIFIC_PID: 'a' }, { completionCode: 'PARTNER_LEFT', redirectUrl: '' }],
  ])('Prolific: %s', (_, outcome, metadata, given) =>
    expect(leave(outcome, metadata)).toEqual({ outcome, ...given }),
  )

  test('SONA: credit for the person and the outcomes that earn it', () => {
    const url =
      'https://uni.sona-systems.com/webstudy_credit.aspx?experiment_id=7&credit_token=tok&survey_code=4+2%26'
    expect(leave('SUCCESS', { sona_id: '4 2&' }).redirectUrl).toBe(url)
    expect(leave('TIMEOUT', { sona_id: '9', source: 'sona', externalId: '4 2&' }).redirectUrl).toBe(url)
    expect(leave('SUCCESS', { sona_id: '9', externalId: 'sona:4 2&' }).redirectUrl).toBe(url)
    expect(leave('SCREENED_OUT', { sona_id: '4' }).redirectUrl).toBe('')
  })

  test('MTurk: a form for the assignment, at MTurk’s own hosts only', () => {
    const worker = { workerId: 'w', assignmentId: 'a&1', turkSubmitTo: 'https://workersandbox.mturk.com/' }
    const { redirectUrl } = leave('SUCCESS', worker)
    expect(exitTo(redirectUrl)).toEqual({
      kind: 'form',
      action: 'https://workersandbox.mturk.com/mturk/externalSubmit',
      fields: [
        ['assignmentId', 'a&1'],
        ['completionCode', 'DONE'],
      ],
    })
    for (const turkSubmitTo of [
      'https://evil.example',
      'http://www.mturk.com',
      'https://www.mturk.com.evil.example',
      'https://www.mturk.com@evil.example',
      'https://x@www.mturk.com',
      'https://www.mturk.com:8443',
      'javascript:alert(1)',
      '',
    ])
      expect(leave('SUCCESS', { ...worker, turkSubmitTo }).redirectUrl, turkSubmitTo).toBe('')
    expect(leave('SUCCESS', { ...worker, assignmentId: 'ASSIGNMENT_ID_NOT_AVAILABLE' }).redirectUrl).toBe('')
    expect(leave('SCREENED_OUT', worker).redirectUrl).toBe('')
  })

  test('everyone else follows `completion`, and so do sites without settings', () => {
    const lab = { outcome: 'SUCCESS', completionCode: 'DONE', redirectUrl: 'https://lab.example/?c=DONE' }
    for (const metadata of [{}, { PROLIFIC_PID: '{{%PROLIFIC_PID%}}' }, { source: 'elsewhere' }])
      expect(leave('SUCCESS', metadata)).toEqual(lab)
    const { recruiting: _, ...plain } = definition
    const finisher = { outcome: 'SUCCESS', participantId: 'p', metadata: { PROLIFIC_PID: 'a' } }
    expect(completionFor(plain, finisher)).toEqual(lab)
    expect(exitTo(lab.redirectUrl)).toEqual({ kind: 'link', url: lab.redirectUrl })
  })
})

test('[RC2] people who come too late get the code for that, where there is one', () => {
  const late = (reason: 'full' | 'status', metadata: Record<string, unknown>) =>
    lateCompletionFor(definition, reason, metadata)
  expect(late('full', { PROLIFIC_PID: 'a' })).toEqual({ outcome: 'QUOTA_FULL', ...prolific('C3') })
  const other = { PROLIFIC_PID: 'a', STUDY_ID: 'other' }
  expect(late('status', other)).toEqual({ outcome: 'STUDY_CLOSED', ...prolific('D4') })
  expect([late('status', { PROLIFIC_PID: 'a' }), late('full', {})]).toEqual([undefined, undefined])
})

test('[R52] a code that SUCCESS has at any site cannot be named by a client', () => {
  for (const code of ['C1', 'd-1', 'DONE']) expect(claimsEarnedOutcome(definition, code), code).toBe(true)
  expect(claimsEarnedOutcome(definition, 'C2')).toBe(false)
})
