import { studyOf } from '@atrium/contract'
import { createMigratedDatabase } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPatiently } from '../../../test/stores/engines.ts'
import {
  aBatch,
  anAppend,
  anEvent,
  completeRequest,
  joined,
  joinRequest,
  newDefinition,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../test/stores/samples.ts'
import { sealingKeysFrom } from '../../kernel/sealed.ts'
import { marksOfPerson } from '../../modules/sessions/held-identity.plan.ts'
import type { Database } from '../sql/stores.ts'
import { type Recording, recordStatements } from './test/recording.ts'

/** S27 */
const order = ['participants', 'event_streams', 'sessions', 'rooms', 'experiments', 'assignment_counts']
const ofParticipants = ['participant_identities', 'session_origins']

const withoutParentheses = (text: string): string => {
  const shorter = text.replaceAll(/\([^()]*\)/g, ' ')
  return shorter === text ? text : withoutParentheses(shorter)
}

/** The tables in which a statement locks rows that are there already. */
function lockedBy(statement: string): string[] {
  const text = withoutParentheses(statement.toLowerCase().replaceAll('"', '').replaceAll(/\s+/g, ' '))
  const written = /^(?:update|delete from) (\w+)/.exec(text)?.[1]
  if (written) return [written]
  const [, only] = / for (?:update|share)(?: of (\w+))?/.exec(text) ?? [undefined, null]
  if (only === null) return []
  const named = [...text.matchAll(/ (?:from|join) (\w+)(?: as)?(?: (\w+))?/g)]
  return named.flatMap(([, table = '', alias]) =>
    only === undefined || only === alias || only === table ? [table] : [],
  )
}

/** What is wrong with the order in which the statements of a transaction lock. */
function faultsIn(statements: readonly string[]): string[] {
  const held = new Set<string>()
  return statements.flatMap((statement) =>
    lockedBy(statement).flatMap((table) => {
      if (held.has(table)) return []
      const later = order.slice(order.indexOf(table) + 1).filter((one) => held.has(one))
      const isTooLate = order.includes(table) && later.length > 0
      const isAlone = ofParticipants.includes(table) && !held.has('participants')
      held.add(table)
      return isTooLate || isAlone ? [`${table} after ${[...held].join()}: ${statement}`] : []
    }),
  )
}

describe('the order in which transactions lock', () => {
  let database: Database
  let recording: Recording
  beforeAll(async () => {
    const url = await createMigratedDatabase()
    database = await openPatiently(url)
    recording = recordStatements(url)
  })
  afterAll(() => Promise.all([recording.close(), database.close()]))

  test('[S27] is told from their statements', () => {
    expect(faultsIn(['select 1 from "rooms" for update', 'update "participants" set x'])).toHaveLength(1)
    expect(faultsIn(['select 1 from "participants" as "p" for update of "p"', 'update rooms set x'])).toEqual(
      [],
    )
    expect(faultsIn(['update "participant_identities" set x'])).toHaveLength(1)
    const both = 'select 1 from "participant_identities" as "i" join "participants" as "p" on x for update'
    expect(faultsIn([both])).toHaveLength(1)
    expect(faultsIn([`${both} of "p"`, 'delete from "participant_identities"'])).toEqual([])
  })

  test('[S27] is participants, streams, sessions, rooms, experiments and cells, whatever happens to people', async () => {
    const { sessions, events, rooms, privacy, tries } = recording.stores
    const conditions = { values: ['x', 'y'], balance: 'completed' as const }
    const experimentId = await openExperiment(database, { capacity: 20, conditions })
    const sealing = sealingKeysFrom(['a secret of sessions'])
    const person = (subject: string) => {
      const key = { issuer: 'urn:test', subject }
      return { person: { ...key, marks: marksOfPerson(sealing, key) }, needsConsent: true, sealing }
    }
    const join = (subject: string, more = {}) =>
      joined({ ...database, sessions }, experimentId, { ...person(subject), ...more })
    const answer = async (sessionId: string, type: string) =>
      await events.append([
        aBatch(sessionId, [anEvent(1, { type, data: '{}' })], {
          needsConsent: true,
          sealing,
        }),
      ])
    const append = async (roomId: string | null, seq: number, more = {}) => {
      const found = await database.rooms.find(roomId ?? '')
      return await rooms.append([{ ...anAppend(roomId ?? '', found?.epoch ?? 0, seq), ...more }])
    }

    const ann = await join('ann')
    await answer(ann.sessionId, 'consent_declined')
    await answer(ann.sessionId, 'consent_given')
    await rooms.claim(ann.roomId ?? '', 'pod-0', 'seed')
    await append(ann.roomId, 1, { absences: [{ participantId: ann.participantId, isDropped: true }] })
    const again = await join('ann')
    const decided = { outcome: 'SCREENED_OUT', givesPlaceBack: true, decidedBy: 'room' }
    await append(ann.roomId, 2, { decisions: [{ participantId: ann.participantId, ...decided }] })
    await sessions.complete(completeRequest(again.sessionId, { outcome: 'SCREENED_OUT' }))

    const [bob, cem, dee] = [
      await join('bob', { soloRoom: false }),
      await join('cem', { soloRoom: false }),
      await join('dee', { soloRoom: false }),
    ]
    const eva = await join('eva')
    for (const { sessionId } of [bob, cem, dee]) await answer(sessionId, 'consent_given')
    const roomId = `room_${experimentId}`
    const members = [bob, cem].map(({ participantId }) => ({ participantId, role: null }))
    await rooms.create({ roomId, experimentId, podId: 'p', members, agents: [], now: startOfTime })
    const held = await rooms.claim(roomId, 'pod-0', 'seed')
    const change = { type: 'variables_changed', data: '{"scope":"room","changes":[{"cause":"draw"}]}' }
    await append(roomId, 1, { records: [{ participantId: bob.participantId, event: anEvent(1, change) }] })

    const by = { experimentId, actor: 'ada', requestedBy: 'researcher', now: startOfTime } as const
    await privacy.endParticipation({ ...by, participantId: bob.participantId, withdraws: true })
    const room = { roomId, epoch: held?.epoch ?? 0, seq: 1, state: '{}', replay: null }
    const erased = { ...by, participantId: bob.participantId, erasedId: 'p_erased', condition: null, room }
    expect(await privacy.erase(erased)).toBe('erased')
    await privacy.endParticipation({ ...by, participantId: cem.participantId, withdraws: false })
    await privacy.sever({ ...by, participantId: cem.participantId })
    await sessions.leaveWaiting([dee.participantId])
    await sessions.waitAgain(dee.participantId)
    await sessions.revoke({ sessionId: dee.sessionId, actor: 'ada', now: startOfTime })
    await sessions.complete(completeRequest(eva.sessionId, { outcome: 'NO_CONSENT' }))
    await sessions.expire(startOfTime + 2 * oneDayMs)

    const tryId = `${experimentId}_try`
    const definition = studyOf((await database.experiments.definition(experimentId, 1)) ?? { name: 'x' })
    const expiresAt = startOfTime + oneDayMs
    await tries.create({
      tryId,
      experimentId,
      ...newDefinition(definition),
      actor: 'ada',
      now: startOfTime,
      expiresAt,
    })
    for (const _ of [1, 2]) await sessions.join(joinRequest(tryId))
    await tries.close(tryId, startOfTime)
    await tries.remove(tryId)

    expect(recording.transactions.length).toBeGreaterThan(25)
    expect(recording.transactions.flatMap(faultsIn)).toEqual([])
  })
})
