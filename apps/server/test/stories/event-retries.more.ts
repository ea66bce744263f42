import { randomUUID } from 'node:crypto'
import { describeInOneMode, numberedEvent, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf, upTo } from './cast.ts'
import { refusalOf } from './refusal.ts'

describeInOneMode('Sending events again', (world) => {
  const cast = castOf(world)
  /** A participant in their own experiment, so that its export contains only their events. */
  async function alone() {
    const experimentId = await cast.open()
    return { experimentId, ...(await cast.participant(experimentId)) }
  }

  test('[R18] the same key and body get the original response, and nothing is stored twice', async () => {
    const { session, experimentId } = await alone()
    const headers = { 'idempotency-key': randomUUID() }
    const events = [numberedEvent(1), numberedEvent(2)]
    const first = succeeded(await cast.send(session, events, { headers }))
    succeeded(await cast.send(session, [numberedEvent(3)]))
    for (const _ of upTo(3)) expect(succeeded(await cast.send(session, events, { headers }))).toEqual(first)
    expect((await cast.exported(experimentId)).map(({ data }) => data.value)).toEqual([1, 2, 3])
  })

  test('[R18] the same key with a different body is IDEMPOTENCY_CONFLICT and stores nothing', async () => {
    const { session, experimentId } = await alone()
    const headers = { 'idempotency-key': 'batch-1' }
    succeeded(await cast.send(session, [numberedEvent(1)], { headers }))
    const answer = await cast.send(session, [numberedEvent(2)], { headers })
    expect(refusalOf(answer)).toMatchObject({ status: 422, code: 'IDEMPOTENCY_CONFLICT' })
    expect(await cast.exported(experimentId)).toHaveLength(1)
  })

  test('[R55] a key is remembered after joining again: a batch resent in the new session is stored once', async () => {
    const { session, experimentId, join } = await alone()
    const headers = { 'idempotency-key': 'batch-1' }
    const events = [numberedEvent(1), numberedEvent(2)]
    const first = succeeded(await cast.send(session, events, { headers }))
    for (const _ of upTo(2)) {
      const again = await join(experimentId)
      expect(succeeded(await cast.send(again, events, { headers }))).toEqual(first)
      expect(refusalOf(await cast.send(again, [numberedEvent(3)], { headers }))).toMatchObject({
        status: 422,
        code: 'IDEMPOTENCY_CONFLICT',
      })
    }
    expect((await cast.exported(experimentId)).map(({ data }) => data.value)).toEqual([1, 2])
  })

  test('[R55] another person may use the same key, and so may the same person in a new participation', async () => {
    const experimentId = await cast.open({ completion: { allowRepeat: true } })
    const headers = { 'idempotency-key': 'batch-1' }
    const { session, join } = await cast.participant(experimentId)
    const other = await cast.participant(experimentId)
    succeeded(await cast.send(session, [numberedEvent(1)], { headers }))
    succeeded(await cast.send(other.session, [numberedEvent(2)], { headers }))
    succeeded(await cast.complete(session))
    succeeded(await cast.send(await join(experimentId), [numberedEvent(3)], { headers }))
    expect(await cast.exported(experimentId)).toHaveLength(3)
  })

  test('[R18] a key whose batch was refused can be used again', async () => {
    const { session } = await alone()
    const headers = { 'idempotency-key': 'batch-1' }
    expect((await cast.send(session, [{}], { headers })).status).toBe(400)
    expect((await cast.send(session, [numberedEvent(1)], { headers })).status).toBe(200)
  })

  test.each([' ', 'two words', 'x'.repeat(256)])('[R18] ‘%s’ is not a valid key', async (key) => {
    const { session } = await alone()
    const answer = await cast.send(session, [numberedEvent(1)], { headers: { 'idempotency-key': key } })
    expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
  })

  test('[R18,E1] an overlapping retry stores only the new events', async () => {
    const { session, experimentId } = await alone()
    const named = (number: number) => numberedEvent(number, { eventId: `e${number}` })
    const first = succeeded(await cast.send(session, [named(1), named(2)]))
    expect(succeeded(await cast.send(session, [named(1), named(2)]))).toEqual(first)
    const more = succeeded(await cast.send(session, [named(2), named(3), named(3)]))
    expect(more.data.recorded).toBe(3)
    const stored = await cast.exported(experimentId)
    expect(stored.map(({ eventId, seq }) => [eventId, seq])).toEqual([
      ['e1', 1],
      ['e2', 2],
      ['e3', 3],
    ])
  })

  test('[R18] an event id with different content is IDEMPOTENCY_CONFLICT, and the whole batch is refused', async () => {
    const { session, experimentId } = await alone()
    succeeded(await cast.send(session, [numberedEvent(1, { eventId: 'e1' })]))
    const batches = [
      [numberedEvent(7), numberedEvent(2, { eventId: 'e1' })],
      [numberedEvent(1, { eventId: 'e1', added: true })],
      [numberedEvent(3, { eventId: 'e3' }), numberedEvent(4, { eventId: 'e3' })],
    ]
    for (const batch of batches)
      expect(refusalOf(await cast.send(session, batch))).toMatchObject({
        status: 422,
        code: 'IDEMPOTENCY_CONFLICT',
      })
    expect(await cast.exported(experimentId)).toHaveLength(1)
  })

  test('[R18] keys and event ids of different people are independent', async () => {
    const experimentId = await cast.open()
    const headers = { 'idempotency-key': 'batch-1' }
    for (const number of upTo(2)) {
      const { session } = await cast.participant(experimentId)
      const event = numberedEvent(number, { eventId: 'e1' })
      expect(succeeded(await cast.send(session, [event], { headers })).data.recorded).toBe(1)
    }
    expect(await cast.exported(experimentId)).toHaveLength(2)
  })
})
