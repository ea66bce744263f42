import { expect, test } from 'vitest'
import { arrivalAt, linkWithAccount } from './arrival.ts'

test('a link from a recruiting site identifies the person and is kept whole as metadata', () => {
  const search = '?PROLIFIC_PID=p1&STUDY_ID=s1&SESSION_ID=x1&role=seller&lang=de'
  expect(arrivalAt('/join/exp_1', search)).toEqual({
    kind: 'join',
    experimentId: 'exp_1',
    visitor: {
      externalId: 'prolific:p1',
      role: 'seller',
      languages: ['de'],
      hasAccount: false,
      metadata: {
        PROLIFIC_PID: 'p1',
        STUDY_ID: 's1',
        SESSION_ID: 'x1',
        source: 'prolific',
        externalId: 'p1',
      },
    },
  })
  expect(arrivalAt('/join/exp_1', '?sona_id=7')).toMatchObject({ visitor: { externalId: 'sona:7' } })
  expect(arrivalAt('/join/exp_1', '?workerId=w&hitId=h')).toMatchObject({
    visitor: { externalId: 'mturk:w', metadata: { hitId: 'h', source: 'mturk' } },
  })
})

test('[RC4] a preview at Mechanical Turk is no arrival', () => {
  const search = '?workerId=w&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h'
  expect(arrivalAt('/join/exp_1', search)).toEqual({ kind: 'preview' })
})

test('a plain link identifies nobody, and neither does an empty id', () => {
  expect(arrivalAt('/join/exp_1', '?PROLIFIC_PID=')).toMatchObject({
    visitor: { externalId: undefined, role: undefined, metadata: { PROLIFIC_PID: '' } },
  })
})

test.each([
  '{{%PROLIFIC_PID%}}',
  '{{PROLIFIC_PID}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of another kind.
  '${PROLIFIC_PID}',
  '[[PROLIFIC_PID]]',
  '%PROLIFIC_PID%',
])('the placeholder %s, as in the preview of a recruiting site, is not an id', (value) => {
  const byHand = arrivalAt('/join/exp_1', `?PROLIFIC_PID=${value}&STUDY_ID={{%STUDY_ID%}}`)
  const encoded = arrivalAt('/join/exp_1', `?PROLIFIC_PID=${encodeURIComponent(value)}`)
  for (const arrival of [byHand, encoded]) {
    expect(arrival).toMatchObject({ kind: 'join', visitor: { externalId: undefined } })
    // The platform flags what was there.
    expect(arrival).toMatchObject({ visitor: { metadata: { PROLIFIC_PID: value } } })
    expect(arrival).not.toHaveProperty('visitor.metadata.source')
  }
  const other = arrivalAt('/join/exp_1', `?PROLIFIC_PID=${encodeURIComponent(value)}&participant=7`)
  expect(other).toMatchObject({ visitor: { externalId: 'link:7' } })
})

test('people who choose a study after signing in take part with that account', () => {
  const { pathname, search } = new URL(linkWithAccount('exp_1'), 'https://lab.example')
  expect(arrivalAt(pathname, search)).toMatchObject({
    kind: 'join',
    experimentId: 'exp_1',
    visitor: { hasAccount: true, metadata: {} },
  })
})

test('what a link carries fits into the metadata of a join', () => {
  const search = `?${Array.from({ length: 200 }, (_, index) => `k${index}=${'ü'.repeat(100)}`).join('&')}`
  const arrival = arrivalAt('/join/exp_1', search)
  const { metadata } = arrival.kind === 'join' ? arrival.visitor : { metadata: {} }
  expect(Object.keys(metadata).length).toBeGreaterThan(0)
  expect(new TextEncoder().encode(JSON.stringify(metadata)).length).toBeLessThan(8_192)
})

test('the page of a room is found by its query, and nothing else is', () => {
  expect(arrivalAt('/experiment', '?roomId=room_a-1&pod=pod-0')).toMatchObject({
    kind: 'room',
    roomId: 'room_a-1',
  })
  expect(arrivalAt('/experiment', '?roomId=../x')).toEqual({ kind: 'nothing' })
  expect(arrivalAt('/experiment', '')).toEqual({ kind: 'nothing' })
  expect(arrivalAt('/', '')).toEqual({ kind: 'studies' })
  expect(arrivalAt('/join/', '')).toEqual({ kind: 'nothing' })
  expect(arrivalAt('/join/100%', '')).toMatchObject({ experimentId: '100%' })
})
