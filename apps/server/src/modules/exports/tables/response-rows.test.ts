import { expect, test } from 'vitest'
import type { ExportedSession, StoredEvent } from '../exports.store.ts'
import { responseRows } from './response-rows.ts'

const rowsOf = async (type: string, data: object, roomSeq: number | null = 7) => {
  const table = responseRows({ sentAnswers: async () => [] }, () => Promise.reject(new Error('not asked')))
  const event = { type, roomSeq, data: JSON.stringify(data), flags: [], componentId: 'points', stateId: 's' }
  const session = { participantId: 'p1', agent: null } as ExportedSession
  return await table.rowsOf([{ session, events: [event as unknown as StoredEvent], isFirst: true }], true)
}
const told = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map(({ componentId, target, value, valueNumber, missing }) => [
    componentId,
    target,
    value,
    valueNumber,
    missing,
  ])

test('[D26,RM196] an answer about each of the others has a row for each of them, also for those whom it leaves out', async () => {
  const rows = await rowsOf('component_response', {
    value: { P3: 4, P1: 0 },
    targets: ['P1', 'P3', 'P4'],
    responseTime: 900,
  })
  expect(told(rows)).toEqual([
    ['points', 'P1', '0', 0, undefined],
    ['points', 'P3', '4', 4, undefined],
    ['points', 'P4', null, null, 'skipped'],
  ])
  expect(rows.map(({ responseTimeMs }) => responseTimeMs)).toEqual([900, 900, 900])
})

test('[D26,RM196] where it was not answered, each of them is missing; where there was nobody, the question is', async () => {
  const components = [
    { componentId: 'points', reason: 'timed_out', targets: ['P1', 'P3'] },
    { componentId: 'trust', reason: 'not_shown' },
  ]
  expect(told(await rowsOf('answers_missing', { components }))).toEqual([
    ['points', 'P1', undefined, undefined, 'timed_out'],
    ['points', 'P3', undefined, undefined, 'timed_out'],
    ['trust', null, undefined, undefined, 'not_shown'],
  ])
})

test('[D26] what a page sends under these names is one answer, whatever it says', async () => {
  const data = { value: { P1: 3 }, targets: ['P1', 'P2'] }
  expect(told(await rowsOf('component_response', data, null))).toEqual([
    ['points', undefined, '{"P1":3}', null, undefined],
  ])
})
