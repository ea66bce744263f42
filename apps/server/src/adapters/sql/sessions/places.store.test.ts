import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seeded } from '../../../../test/seed.ts'
import { describeOnBothEngines, type Engine } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anAppend,
  anEvent,
  completeRequest,
  joinRequest,
  newDefinition,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import type { SessionRecord } from '../../../modules/sessions/sessions.store.ts'

const capacity = 3
const consentEvents = { agree: 'consent_given', decline: 'consent_declined' } as const
const transition = { type: 'state_transition', data: '{"fromState":"s1","toState":"s2"}' }
const people = ['ann', 'bob', 'cem', 'dee', 'eva']
const outcomes = ['SUCCESS', 'NO_CONSENT', 'SCREENED_OUT', 'NOT_MATCHED', 'ABANDONED', 'a literal'] as const

/** What may happen to somebody, in any order and any number of times. */
const happening = fc.record({
  who: fc.constantFrom(...people),
  kind: fc.constantFrom(
    ...(['join', 'join', 'move on', 'decide', 'complete', 'complete', 'leave waiting'] as const),
    ...(['wait again', 'expire', 'revise', 'no capacity', 'decline', 'decline', 'agree'] as const),
    ...(['drop', 'drop', 'come back'] as const),
  ),
  outcome: fc.constantFrom(...outcomes),
  givesPlaceBack: fc.boolean(),
  decidedBy: fc.constantFrom('room', 'client'),
})

type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never

/** One experiment, and everything that a participant or the platform can do to a place in it. */
async function openPlay({ database, rows }: Engine, allowRepeat: boolean, balance: 'opened' | 'completed') {
  const conditions = { values: ['x', 'y', 'z'], balance }
  const experimentId = await openExperiment(database, { capacity, conditions })
  const sessions = new Map<string, SessionRecord>()
  const seqs = new Map<string, number>()
  let now = startOfTime
  let revision = 1

  const define = (limit: number | null) =>
    database.experiments.revise({
      experimentId,
      actor: 'tester',
      now,
      ...newDefinition({
        name: 'x',
        states: [{ id: 's1', components: [] }],
        conditions,
        ...(limit && { capacity: limit }),
      }),
    })

  async function act({ roomId, participantId }: SessionRecord, happening: Happening): Promise<void> {
    const { kind, outcome, givesPlaceBack, decidedBy } = happening
    if (roomId === null) return
    const room = await database.rooms.claim(roomId, 'pod-0', 'seed')
    const seq = (seqs.get(roomId) ?? 0) + 1
    seqs.set(roomId, seq)
    const change =
      kind === 'decide'
        ? { decisions: [{ participantId, outcome, givesPlaceBack, decidedBy }] }
        : { absences: [{ participantId, isDropped: kind === 'drop' }] }
    await database.rooms.append([{ ...anAppend(roomId, room?.epoch ?? 0, seq), at: now, ...change }])
  }

  return {
    experimentId,
    async happen(happening: Happening): Promise<void> {
      const { who, kind, outcome, decidedBy } = happening
      const session = sessions.get(who)
      now++
      if (kind === 'join') {
        const joined = await database.sessions.join(
          joinRequest(experimentId, {
            person: { issuer: 'urn:test', subject: who },
            now,
            expiresAt: now + oneDayMs,
            allowRepeat,
            revision,
            soloRoom: people.indexOf(who) % 2 === 0,
            needsConsent: true,
          }),
        )
        if (joined.kind === 'joined') sessions.set(who, joined.session)
      } else if (kind === 'revise' || kind === 'no capacity') {
        const revised = await define(kind === 'revise' ? capacity : null)
        if (revised.kind === 'revised') revision = revised.record.revision
      } else if (kind === 'expire') {
        now += 2 * oneDayMs
        await database.sessions.expire(now)
      } else if (!session) return
      else if (kind === 'move on')
        await database.events.append([
          aBatch(session.sessionId, [
            anEvent(1, { type: 'state_transition', data: '{"fromState":"s1","toState":"s2"}' }),
          ]),
        ])
      else if (kind === 'decline' || kind === 'agree')
        await database.events.append([
          aBatch(session.sessionId, [anEvent(now, { type: consentEvents[kind], data: '{}' })], {
            needsConsent: true,
          }),
        ])
      else if (kind === 'decide' || kind === 'drop' || kind === 'come back') await act(session, happening)
      else if (kind === 'complete')
        await database.sessions.complete({
          ...completeRequest(session.sessionId, { outcome, completedAt: now }),
          decidedBy,
        })
      else if (kind === 'leave waiting') await database.sessions.leaveWaiting([session.participantId])
      else if (session.roomId === null) await database.sessions.waitAgain(session.participantId)
    },
    /** What the experiment counts, and who really holds a place. */
    async count(): Promise<{ counted: number; held: number; limit: number | null }> {
      const record = await database.experiments.find(experimentId)
      // A revision recounts, which must give the same as counting step by step.
      const before = record?.participantCount ?? 0
      const limit = record?.capacity ?? null
      const again = await define(limit)
      if (again.kind !== 'revised') throw new Error('the experiment could not be revised')
      revision = again.record.revision
      return { counted: before, held: again.record.participantCount, limit }
    },
    /** How many people the cells count, and how many really should. */
    async countCells(): Promise<[counted: object, people: object]> {
      const counted = await rows(
        `select cell, people from assignment_counts where experiment_id = '${experimentId}'`,
      )
      const people = await rows(`select a.cells, a.is_dropped, p.holds_place, p.outcome,
          (select count(*) from sessions s where s.participant_id = p.participant_id
            and s.status in ('active', 'completed')) as sessions
        from assignments a join participants p on p.participant_id = a.participant_id
        where a.experiment_id = '${experimentId}'`)
      const counts = people.filter(({ holds_place, outcome, is_dropped, sessions }) => {
        const isOpen = outcome === null && is_dropped === 0
        const mayComplete = (isOpen || outcome === 'SUCCESS') && Number(sessions) > 0
        return holds_place === 1 && (balance === 'opened' || mayComplete)
      })
      const byCell = Map.groupBy(counts, ({ cells }) => JSON.parse(String(cells))[0] as string)
      return [
        Object.fromEntries(counted.map((row) => [row.cell, Number(row.people)]).filter(([, n]) => n !== 0)),
        Object.fromEntries([...byCell].map(([cell, same]) => [cell, same.length])),
      ]
    },
  }
}

describeOnBothEngines('places', (engine) => {
  test('[R56,S47] however people end, no place and no cell is lost, invented or taken beyond the capacity', async () => {
    const property = fc.asyncProperty(
      fc.boolean(),
      fc.constantFrom('opened', 'completed'),
      fc.array(happening, { minLength: 10, maxLength: 40 }),
      async (allowRepeat, balance, happenings) => {
        const play = await openPlay(engine(), allowRepeat, balance)
        let hadCapacity = true
        for (const one of happenings) {
          await play.happen(one)
          const [cells, people] = await play.countCells()
          expect(cells, one.kind).toEqual(people)
          const { counted, held, limit } = await play.count()
          if (limit === null) hadCapacity = false
          else {
            expect(counted).toBe(held)
            expect(counted).toBeGreaterThanOrEqual(0)
            // Without a capacity, more people may have joined than there are places for later.
            if (hadCapacity) expect(counted).toBeLessThanOrEqual(capacity)
          }
        }
      },
    )
    await fc.assert(property, { ...seeded, numRuns: 12 })
  })

  const setting = async (limit = 1) => {
    const { database } = engine()
    const experimentId = await openExperiment(database, { capacity: limit })
    const join = (subject: string, more = {}) =>
      database.sessions.join(
        joinRequest(experimentId, { person: { issuer: 'urn:test', subject }, soloRoom: false, ...more }),
      )
    const places = async () => (await database.experiments.find(experimentId))?.participantCount
    return { database, experimentId, join, places }
  }

  test('[R56,S24] people who leave for good before the end of the first state give their place back, once', async () => {
    const { database, join, places } = await setting()
    const ann = await join('ann')
    if (ann.kind !== 'joined') throw new Error(ann.kind)
    expect(await join('bob')).toEqual({ kind: 'closed', reason: 'full' })
    const later = startOfTime + 2 * oneDayMs
    // Others may have sessions that are over as well.
    expect(await database.sessions.expire(later)).toContain(ann.session.sessionId)
    expect(await places()).toBe(0)
    expect(await database.sessions.expire(later)).toEqual([])
    const bobs = { now: later, expiresAt: later + oneDayMs }
    expect(await join('bob', bobs)).toMatchObject({ kind: 'joined' })
    // Those who return take a new place, or learn that there is none.
    expect(await join('ann', bobs)).toEqual({ kind: 'closed', reason: 'full' })
    expect(await places()).toBe(1)
  })

  test('[R56,S24] people who got past the first state keep their place', async () => {
    const { database, join, places } = await setting()
    const ann = await join('ann')
    if (ann.kind !== 'joined') throw new Error(ann.kind)
    const moved = anEvent(1, { type: 'state_transition', data: '{"fromState":"s1","toState":"s2"}' })
    await database.events.append([aBatch(ann.session.sessionId, [moved])])
    await database.sessions.expire(startOfTime + 2 * oneDayMs)
    expect(await places()).toBe(1)
  })

  describe('[S41,R56] whoever declines', () => {
    const declines = async (limit?: number) => {
      const { join, ...rest } = await setting(limit)
      const enter = async (subject: string) => {
        const joined = await join(subject, { needsConsent: true })
        if (joined.kind !== 'joined') throw new Error(joined.kind)
        return joined.session
      }
      const tell = async (sessionId: string, ...kinds: (keyof typeof consentEvents)[]) => {
        const events = kinds.map((kind) =>
          anEvent(1, { eventId: `${kind}-${sessionId}`, type: consentEvents[kind] }),
        )
        const [outcome] = await rest.database.events.append([
          aBatch(sessionId, events, { needsConsent: true }),
        ])
        return outcome?.kind
      }
      return { ...rest, join, enter, tell }
    }

    test('gives the place back with the event, once, whatever is repeated and completed', async () => {
      const { database, places, enter, tell } = await declines(2)
      const [ann] = [await enter('ann'), await enter('bob')]
      expect(await places()).toBe(2)
      for (const _ of [1, 2]) {
        expect(await tell(ann.sessionId, 'decline')).toBe('recorded')
        expect(await places()).toBe(1)
      }
      await database.sessions.leaveWaiting([ann.participantId])
      for (const _ of [1, 2])
        await database.sessions.complete(completeRequest(ann.sessionId, { outcome: 'NO_CONSENT' }))
      await database.sessions.expire(startOfTime + 2 * oneDayMs)
      // Bob's session expired as well.
      expect(await places()).toBe(0)
    })

    test('[E10] and thinks better of it takes another place, or is told that there is none', async () => {
      const { database, places, enter, tell, join } = await declines(1)
      const ann = await enter('ann')
      expect(await tell(ann.sessionId, 'decline')).toBe('recorded')
      const bob = await enter('bob')
      expect(await tell(ann.sessionId, 'agree')).toBe('full')
      expect(await join('ann')).toEqual({ kind: 'closed', reason: 'full' })
      await database.sessions.complete(completeRequest(bob.sessionId, { outcome: 'NO_CONSENT' }))
      expect(await tell(ann.sessionId, 'agree')).toBe('recorded')
      expect(await places()).toBe(1)
      expect(await database.sessions.find(ann.sessionId)).toMatchObject({
        holdsPlace: true,
        consentedAt: startOfTime,
      })
    })

    test('and agrees in one batch keeps it', async () => {
      const { places, enter, tell } = await declines(1)
      const ann = await enter('ann')
      expect(await tell(ann.sessionId, 'decline', 'agree')).toBe('recorded')
      expect(await places()).toBe(1)
    })
  })

  test.each(['SCREENED_OUT', 'NO_CONSENT', 'NOT_MATCHED'])(
    '[R56] whoever ends with %s gives the place back, after the first state too',
    async (outcome) => {
      const { database, join, places } = await setting()
      const ann = await join('ann')
      if (ann.kind !== 'joined') throw new Error(ann.kind)
      await database.events.append([aBatch(ann.session.sessionId, [anEvent(1, transition)])])
      await database.sessions.complete(completeRequest(ann.session.sessionId, { outcome }))
      expect(await places()).toBe(0)
    },
  )

  test('[R56,S24] people who end at the same moment give back one place each', async () => {
    const { database, experimentId, places } = await setting(20)
    const joins = people.map((subject) =>
      database.sessions.join(
        joinRequest(experimentId, { person: { issuer: 'urn:test', subject }, soloRoom: false }),
      ),
    )
    const joined = (await Promise.all(joins)).flatMap((one) => (one.kind === 'joined' ? [one.session] : []))
    expect(await places()).toBe(people.length)
    await Promise.all(
      joined.flatMap(({ sessionId, participantId }) => [
        database.sessions.complete(completeRequest(sessionId, { outcome: 'SCREENED_OUT' })),
        database.sessions.leaveWaiting([participantId]),
        database.sessions.complete(completeRequest(sessionId, { outcome: 'NO_CONSENT' })),
        database.sessions.expire(startOfTime + 2 * oneDayMs),
      ]),
    )
    expect(await places()).toBe(0)
  })
})
