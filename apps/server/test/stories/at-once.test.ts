import { randomUUID } from 'node:crypto'
import { codeOf, describeInBothModes, numberedEvent, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf, upTo } from './cast.ts'
import { refusalOf } from './refusal.ts'

/** In both modes, because each of these needs a lock, which the two databases and Redis provide in different ways. */
describeInBothModes('What happens at the same time', (world) => {
  const cast = castOf(world)
  /** A participant in their own experiment, so that its export contains only their events. */
  async function alone() {
    const experimentId = await cast.open()
    return { experimentId, ...(await cast.participant(experimentId)) }
  }
  const summary = (totalEvents: number) => ({ totalEvents, duration: 1_000 })

  test('[R23a] thirty concurrent joins never exceed the capacity', async () => {
    const capacity = 10
    const experimentId = await cast.open({ capacity })
    const people = await Promise.all(upTo(30).map(() => cast.person()))
    const answers = await Promise.all(people.map(({ token }) => cast.join(token, { experimentId })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(capacity)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(refusalOf(answer)).toMatchObject({ status: 409, details: { reason: 'full' } })
    expect(await cast.monitor(experimentId)).toMatchObject({
      availableSlots: 0,
      participants: { total: capacity },
    })
  })

  test('[R14] concurrent first joins of one person create one participant', async () => {
    for (const more of [{}, { capacity: 5 }]) {
      const experimentId = await cast.open(more)
      const { token, join } = await cast.person()
      const joined = await Promise.all(upTo(4).map(() => join(experimentId)))
      expect(new Set(joined.map(({ participantId }) => participantId)).size).toBe(1)
      expect(new Set(joined.map(({ roomId }) => roomId)).size).toBe(1)
      const statuses = (await cast.history(token)).map(({ status }) => status)
      expect(statuses).toEqual(['active', 'revoked', 'revoked', 'revoked'])
      expect((await cast.monitor(experimentId)).participants.total).toBe(1)
    }
  })

  test('[R19] sequence numbers follow the order of receipt without gaps, whichever pod receives the batch', async () => {
    const { session, experimentId } = await alone()
    for (const batch of upTo(6))
      succeeded(
        await cast.send(
          session,
          upTo(5).map((number) => numberedEvent(batch * 10 + number)),
        ),
      )
    const stored = await cast.exported(experimentId)
    expect(stored.map(({ seq }) => seq)).toEqual(upTo(30))
    expect(stored.map(({ data }) => data.value)).toEqual(
      upTo(6).flatMap((batch) => upTo(5).map((number) => batch * 10 + number)),
    )
  })

  test('[R19] concurrent batches stay contiguous, and their numbers have no gaps', async () => {
    const { session, experimentId } = await alone()
    const batches = upTo(20)
    const sent = batches.map((batch) =>
      cast.send(
        session,
        upTo(5).map((n) => numberedEvent(batch * 10 + n)),
      ),
    )
    for (const answer of await Promise.all(sent)) expect(succeeded(answer).data.recorded).toBe(5)
    const stored = await cast.exported(experimentId)
    expect(stored.map(({ seq }) => seq)).toEqual(upTo(100))
    const first = stored.filter((_, index) => index % 5 === 0).map(({ data }) => Number(data.value) - 1)
    expect(first.toSorted((a, b) => a - b)).toEqual(batches.map((batch) => batch * 10))
    expect(stored.map(({ data }) => data.value)).toEqual(
      first.flatMap((batch) => upTo(5).map((number) => batch + number)),
    )
  })

  test('[R18] one batch sent fifty times at once is stored once, and all get the same response', async () => {
    const { session, experimentId } = await alone()
    const headers = { 'idempotency-key': randomUUID() }
    const events = upTo(3).map((number) => numberedEvent(number))
    const answers = await Promise.all(upTo(50).map(() => cast.send(session, events, { headers })))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect((await cast.exported(experimentId)).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  test('[R18] fifty batches at once that share event ids store each event once', async () => {
    const { session, experimentId } = await alone()
    const events = upTo(3).map((number) => numberedEvent(number, { eventId: `e${number}` }))
    const answers = await Promise.all(upTo(50).map(() => cast.send(session, events)))
    for (const answer of answers) expect(succeeded(answer).data.recorded).toBe(3)
    expect((await cast.exported(experimentId)).map(({ eventId }) => eventId)).toEqual(['e1', 'e2', 'e3'])
  })

  test('[R20] twenty concurrent calls get one code', async () => {
    const { session, token } = await cast.participant(await cast.open())
    const answers = await Promise.all(
      upTo(20).map((number) => cast.complete(session, { completionCode: `CODE-${number}` })),
    )
    const given = answers.filter(({ status }) => status === 200)
    expect(given).toHaveLength(3)
    expect(new Set(given.map(({ text }) => text)).size).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(codeOf(answer)).toBe('RATE_LIMITED')
    const [item] = await cast.history(token)
    expect(item?.completionCode).toBe(given[0]?.body.data.completionCode)
  })

  test('[R20] when a completion races the last batch, acknowledged events are stored and the rest are a gap', async () => {
    const experimentId = await cast.open()
    const last = upTo(5).map((number) => numberedEvent(number))
    const races = upTo(8).map(async () => {
      const { session } = await cast.participant(experimentId)
      const [batch, end] = await Promise.all([
        cast.send(session, last),
        cast.complete(session, { summary: summary(last.length) }),
      ])
      expect(end.status).toBe(200)
      if (batch.status !== 200) expect(codeOf(batch)).toBe('SESSION_COMPLETED')
      return batch.status === 200
    })
    const stored = (await Promise.all(races)).filter(Boolean).length
    expect(await cast.exported(experimentId)).toHaveLength(stored * last.length)
    expect((await cast.monitor(experimentId)).sessionsWithGaps).toBe(races.length - stored)
  })

  test('[R10] of thirty concurrent calls, exactly as many pass as the limit allows', async () => {
    const { session } = await cast.participant(await cast.open())
    const answers = await Promise.all(upTo(30).map(() => cast.discover(session)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter((answer) => codeOf(answer) === 'RATE_LIMITED')).toHaveLength(10)
  })
})
