import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noQuota } from '../../../test/no-quota.ts'
import { seeded } from '../../../test/seed.ts'
import { type AppendPlan, type KnownStreams, keyOf, planAppends } from './append.plan.ts'
import { unknownClock } from './client-clock.plan.ts'
import type { AppendOutcome, EventBatch, EventToStore } from './events.store.ts'

const sessionIds = ['s1', 's2', 'sealed', 'unknown']

const anEvent: fc.Arbitrary<EventToStore> = fc.record({
  // Few ids and values, so that repeats and conflicts are common.
  eventId: fc.option(fc.constantFrom('e1', 'e2', 'e3'), { freq: 1 }),
  type: fc.constantFrom('answer', 'click'),
  stateId: fc.constant(null),
  componentId: fc.constant('c1'),
  timestamp: fc.constant(1),
  data: fc.constantFrom('{"value":1}', '{"value":2}'),
  flags: fc.constantFrom('', 'unknown_state'),
  extra: fc.constant(null),
})

const aBatch = fc
  .record({
    sessionId: fc.constantFrom(...sessionIds),
    idempotencyKey: fc.option(fc.constantFrom('k1', 'k2', 'k3'), { freq: 2 }),
    events: fc.array(anEvent, { minLength: 1, maxLength: 4 }),
  })
  .map((batch) => ({ ...batch, bodyHash: batch.idempotencyKey === null ? '' : JSON.stringify(batch.events) }))

/** Batches in order of arrival; some are sent again later, as by clients that got no reply. */
const arrivals = fc
  .array(fc.record({ batch: aBatch, again: fc.option(fc.nat(5)) }), { maxLength: 25 })
  .map((sent) =>
    sent
      .flatMap(({ batch, again }, index) => [
        { batch, at: index },
        ...(again === null ? [] : [{ batch, at: index + again + 0.5 }]),
      ])
      .toSorted((one, other) => one.at - other.at)
      .map(
        ({ batch }, index): EventBatch => ({
          ...batch,
          needsConsent: false,
          quota: noQuota,
          receivedAt: 1_000 + index,
        }),
      ),
  )

/** Where to split the arrivals into groups. */
const cuts = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 30 })

function inGroups(batches: EventBatch[], sizes: number[]): EventBatch[][] {
  const groups: EventBatch[][] = []
  for (let start = 0; start < batches.length; ) {
    const size = sizes[groups.length % sizes.length] ?? 1
    groups.push(batches.slice(start, start + size))
    start += size
  }
  return groups
}

type Row = AppendPlan['rows'][number]

const streamNos = new Map(sessionIds.map((id, index) => [id, index + 1]))
const sessionOf = (row: { streamNo: number }): string => sessionIds[row.streamNo - 1] ?? ''

const nothing = { participantBytes: 0, experimentBytes: 0 }

/** What a store does around the plan, on plain arrays. */
function createStore() {
  const rows: Row[] = []
  const keys: AppendPlan['newKeys'] = []
  const lastSeqs = new Map<number, number>()
  const known = (): KnownStreams => ({
    streams: new Map(
      ['s1', 's2', 'sealed'].map((id) => {
        const streamNo = streamNos.get(id) ?? 0
        return [
          id,
          {
            streamNo,
            lastSeq: lastSeqs.get(streamNo) ?? 0,
            sealed: id === 'sealed',
            experimentId: 'x',
            stored: nothing,
            clock: unknownClock,
          },
        ]
      }),
    ),
    batches: new Map(keys.map((key) => [keyOf(sessionOf(key), key.idempotencyKey), key])),
    events: new Map(
      rows.flatMap((row) =>
        row.eventId === null
          ? []
          : [[keyOf(sessionOf(row), row.eventId), { event: row, receivedAt: row.receivedAt }] as const],
      ),
    ),
    consents: new Map(),
  })
  return {
    rows,
    append(group: EventBatch[]): AppendPlan {
      const plan = planAppends(group, known())
      rows.push(...plan.rows)
      keys.push(...plan.newKeys)
      for (const [streamNo, seq] of plan.lastSeqs) lastSeqs.set(streamNo, seq)
      return plan
    },
  }
}

/** The rules of R18 again, as simply as possible: one batch after the other, no plan. */
function createModel() {
  const answers = new Map<string, { body: string; outcome: AppendOutcome }>()
  const stored: { sessionId: string; event: EventToStore; receivedAt: number }[] = []
  const content = ({ eventId: _id, flags: _flags, ...rest }: EventToStore) => JSON.stringify(rest)

  function answer(batch: EventBatch): AppendOutcome {
    if (batch.sessionId === 'sealed' || batch.sessionId === 'unknown') return { kind: 'sealed' }
    const before = stored.length
    for (const event of batch.events) {
      const twin = stored.find(
        (other) =>
          event.eventId !== null &&
          other.sessionId === batch.sessionId &&
          other.event.eventId === event.eventId,
      )
      if (!twin) stored.push({ sessionId: batch.sessionId, event, receivedAt: batch.receivedAt })
      else if (content(twin.event) !== content(event)) {
        stored.length = before
        return { kind: 'conflict', key: event.eventId ?? '' }
      }
    }
    const first = stored.find(
      ({ sessionId, event }) => sessionId === batch.sessionId && event.eventId === batch.events[0]?.eventId,
    )
    const isRepeat = stored.length === before
    return {
      kind: 'recorded',
      recorded: batch.events.length,
      receivedAt: isRepeat ? (first?.receivedAt ?? 0) : batch.receivedAt,
    }
  }

  return {
    stored,
    append(batch: EventBatch): AppendOutcome {
      if (batch.idempotencyKey === null) return answer(batch)
      const name = `${batch.sessionId}/${batch.idempotencyKey}`
      const earlier = answers.get(name)
      if (earlier)
        return earlier.body === batch.bodyHash
          ? earlier.outcome
          : { kind: 'conflict', key: batch.idempotencyKey }
      const outcome = answer(batch)
      if (outcome.kind === 'recorded') answers.set(name, { body: batch.bodyHash, outcome })
      return outcome
    },
  }
}

test('[R18] however batches are grouped, the result is as if they had come one by one', () => {
  fc.assert(
    fc.property(arrivals, cuts, (batches, sizes) => {
      const store = createStore()
      const model = createModel()
      const outcomes = inGroups(batches, sizes).flatMap((group) => store.append(group).outcomes)
      expect(outcomes).toEqual(batches.map((batch) => model.append(batch)))
      for (const sessionId of sessionIds) {
        const rows = store.rows.filter((row) => sessionOf(row) === sessionId)
        expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1))
        expect(
          rows.map(
            ({ streamNo: _no, seq: _seq, clockOffsetMs: _offset, clockErrorMs: _error, ...row }) => row,
          ),
        ).toEqual(
          model.stored
            .filter((event) => event.sessionId === sessionId)
            .map(({ event, receivedAt }) => ({ ...event, receivedAt })),
        )
      }
    }),
    { ...seeded, numRuns: 500 },
  )
})

test('[R18] a refused batch writes nothing, and the numbers of the others have no gaps', () => {
  fc.assert(
    fc.property(arrivals, (batches) => {
      const store = createStore()
      for (const batch of batches) {
        const plan = store.append([batch])
        if (plan.outcomes[0]?.kind !== 'recorded')
          expect([plan.rows, plan.newKeys, [...plan.lastSeqs]]).toEqual([[], [], []])
      }
    }),
    { ...seeded, numRuns: 200 },
  )
})

test('[R18] sending everything again changes nothing and gives every keyed batch its first answer', () => {
  fc.assert(
    fc.property(arrivals, cuts, (batches, sizes) => {
      const store = createStore()
      const keyed = batches.filter(({ idempotencyKey }) => idempotencyKey !== null)
      const first = inGroups(keyed, sizes).flatMap((group) => store.append(group).outcomes)
      const rows = store.rows.length
      const again = keyed.map((batch) => ({ ...batch, receivedAt: 9_999 }))
      const second = store.append(again).outcomes
      expect(store.rows).toHaveLength(rows)
      for (const [index, outcome] of first.entries())
        if (outcome.kind === 'recorded') expect(second[index]).toEqual(outcome)
    }),
    { ...seeded, numRuns: 200 },
  )
})

test('[E27] however batches are grouped, nobody stores more than their quota, and refused batches write nothing', () => {
  const plenty = { participantBytes: 2_000, experimentBytes: 3_000 }
  fc.assert(
    fc.property(arrivals, cuts, (batches, sizes) => {
      const used = new Map<number, number>()
      const known = (): KnownStreams => ({
        streams: new Map(
          ['s1', 's2'].map((id) => {
            const streamNo = streamNos.get(id) ?? 0
            const ofExperiment = [...used.values()].reduce((sum, bytes) => sum + bytes, 0)
            const stored = { participantBytes: used.get(streamNo) ?? 0, experimentBytes: ofExperiment }
            return [
              id,
              { streamNo, lastSeq: 0, sealed: false, experimentId: 'x', stored, clock: unknownClock },
            ]
          }),
        ),
        batches: new Map(),
        events: new Map(),
        consents: new Map(),
      })
      for (const group of inGroups(
        batches.map((batch) => ({ ...batch, quota: plenty })),
        sizes,
      )) {
        const plan = planAppends(group, known())
        const stored = group.filter((_, index) => plan.outcomes[index]?.kind === 'recorded')
        expect(plan.rows.length).toBeLessThanOrEqual(stored.flatMap(({ events }) => events).length)
        expect([...plan.bytes.keys()]).toEqual([...plan.lastSeqs.keys()])
        for (const [streamNo, bytes] of plan.bytes) used.set(streamNo, (used.get(streamNo) ?? 0) + bytes)
      }
      for (const bytes of used.values()) expect(bytes).toBeLessThanOrEqual(plenty.participantBytes * 1.25)
      const all = [...used.values()].reduce((sum, bytes) => sum + bytes, 0)
      expect(all).toBeLessThanOrEqual(plenty.experimentBytes * 1.25)
    }),
    { ...seeded, numRuns: 300 },
  )
})

test('[E27,R18] what is stored is acknowledged again beyond the quota, under its key and without one', () => {
  const event: EventToStore = {
    eventId: 'e1',
    type: 'click',
    stateId: null,
    componentId: null,
    timestamp: 1,
    data: '{}',
    flags: '',
    extra: null,
  }
  const batch: EventBatch = {
    sessionId: 's1',
    idempotencyKey: null,
    bodyHash: '',
    receivedAt: 9,
    needsConsent: false,
    quota: { participantBytes: 100, experimentBytes: 100 },
    events: [event],
  }
  const stored = { participantBytes: 900, experimentBytes: 900 }
  const known: KnownStreams = {
    streams: new Map([
      ['s1', { streamNo: 1, lastSeq: 1, sealed: false, experimentId: 'x', stored, clock: unknownClock }],
    ]),
    batches: new Map([[keyOf('s1', 'k1'), { bodyHash: 'b', recorded: 1, receivedAt: 5 }]]),
    events: new Map([[keyOf('s1', 'e1'), { event, receivedAt: 5 }]]),
    consents: new Map(),
  }
  const outcomes = planAppends(
    [
      batch,
      { ...batch, idempotencyKey: 'k1', bodyHash: 'b' },
      { ...batch, events: [{ ...event, eventId: 'e2' }] },
    ],
    known,
  ).outcomes
  const first = { kind: 'recorded', recorded: 1, receivedAt: 5 }
  const over = { scope: 'participant', usedBytes: 900, limitBytes: 100 }
  expect(outcomes).toEqual([first, first, { kind: 'over_quota', over }])
})
