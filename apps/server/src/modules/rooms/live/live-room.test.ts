import type { ParadataKind } from '@atrium/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { noQuota } from '../../../../test/no-quota.ts'
import { seeded } from '../../../../test/seed.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { createGroupCommit } from '../../../kernel/group-commit.ts'
import { createTurnShare } from '../../../kernel/turn-share.ts'
import { parseDefinition } from '../../experiments/parse-definition.ts'
import { type Blueprint, compileBlueprint } from '../model/blueprint.ts'
import type { RoomState } from '../model/room-state.ts'
import type { RoomAppend, RoomAppendOutcome } from '../rooms.store.ts'
import { emptyRoom } from '../rules/opening.ts'
import { createLiveRoom, type LiveRoomDeps } from './live-room.ts'
import { replayLog } from './read-room.ts'

const { study: definition } = parseDefinition({
  name: 'Talk',
  states: [{ id: 'talk', components: [{ id: 'chat', type: 'chat' }] }],
})
const blueprint = compileBlueprint(definition)
const origin = { roomId: 'room_1', experimentId: 'exp_1', revision: 1, seed: 'seed', ordinal: 0 }
const member = { participantId: 'p1', role: 'participant' }

/** Waits for turns of the event loop: latency without a clock, so that runs are repeatable. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}

/** A store that behaves like ours: all of a group or nothing, no gaps in a log, and some actions that it rejects. */
function createStore(isGuilty: (actionId: string) => boolean, latencies: number[], awayAt: number) {
  const log: RoomAppend[] = []
  let commits = 0
  return {
    log,
    firstAnswer: async (_actor: string, actionId: string) => answerIn(log, actionId),
    async append(appends: RoomAppend[]): Promise<RoomAppendOutcome[]> {
      const commit = commits++
      await turns(latencies[commit % latencies.length] ?? 0)
      if (commit === awayAt) throw new AppError('UNAVAILABLE')
      const fresh: RoomAppend[] = []
      const outcomes = appends.map((append): RoomAppendOutcome => {
        const answer = append.mayBeRepeat ? answerIn([...log, ...fresh], append.actionId) : undefined
        if (answer !== undefined) return { kind: 'repeated', answer }
        if (append.seq !== log.length + fresh.length + 1) return { kind: 'fenced' }
        fresh.push(append)
        return { kind: 'stored' }
      })
      if (fresh.some(({ actionId }) => actionId !== null && isGuilty(actionId))) throw new Error('refused')
      log.push(...fresh)
      return outcomes
    },
  }
}

const depsWith = (blueprint: Blueprint, store: ReturnType<typeof createStore>): LiveRoomDeps => ({
  blueprint,
  clock: { now: () => 1_000 },
  epoch: 1,
  quota: noQuota,
  append: createGroupCommit(store.append, { maxItems: 8 }).add,
  firstAnswer: store.firstAnswer,
  onEmitted: () => {},
  onKept: () => {},
  rest: () => Promise.reject(new Error('somebody is there')),
  assignCondition: () => Promise.reject(new Error('nobody is assigned anything')),
  onLost: () => {},
  onTickFailed: () => {},
  turnShare: createTurnShare(20),
})

const answerIn = (log: RoomAppend[], actionId: string | null): number | undefined =>
  log.find((append) => append.actionId === actionId)?.answer

const aMessage = fc.record({ pause: fc.nat(4), id: fc.nat(30), isGuilty: fc.boolean() })

it('[RM51,RM57] acknowledged actions are in the log, once and in order; only the action at fault fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aMessage, { minLength: 1, maxLength: 40 }),
      fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }),
      fc.option(fc.integer({ min: 1, max: 8 })),
      fc.integer({ min: 1, max: 6 }),
      async (messages, latencies, awayAt, maxItems) => {
        const guilty = new Set(messages.flatMap(({ id, isGuilty }) => (isGuilty ? [`a${id}`] : [])))
        const store = createStore((id) => guilty.has(id), latencies, awayAt ?? -1)
        const commits = createGroupCommit(store.append, { maxItems })
        const lost: string[] = []
        const told: number[] = []
        let asked = 0
        const kept: { state: RoomState; seq: number }[] = []
        const room = createLiveRoom(
          {
            blueprint,
            clock: { now: () => 1_000 },
            epoch: 1,
            quota: noQuota,
            append: commits.add,
            firstAnswer: store.firstAnswer,
            rest: () => Promise.reject(new Error('somebody is there')),
            assignCondition: () => Promise.reject(new Error('nobody is assigned anything')),
            onEmitted: (_, emitted) => told.push(...emitted.map(({ event }) => event.seq)),
            onKept: (state, seq) => kept.push({ state, seq }),
            onLost: (reason) => lost.push(reason),
            onTickFailed: (error) => {
              throw error
            },
            // Every third action waits for the next turn of the event loop.
            turnShare: { isUsedUp: () => ++asked % 3 === 0 },
          },
          emptyRoom(origin, blueprint),
          0,
        )
        const opened = room.dispatch({
          type: 'opened',
          members: [member],
          agents: [],
          seed: 'seed',
          ordinal: 0,
        })
        const outcomes: Promise<number | string>[] = []
        for (const { pause, id } of messages) {
          await turns(pause)
          const say = {
            type: 'send_message' as const,
            participantId: 'p1',
            actionId: `a${id}`,
            text: `${id}`,
          }
          outcomes.push(
            room
              .dispatch(say)
              .catch((error: Error) => (error instanceof AppError ? error.code : error.message)),
          )
        }
        await opened
        const settled = await Promise.all(outcomes)
        room.stop()

        const stored = store.log.map(({ actionId }) => actionId)
        expect(store.log.map(({ seq }) => seq)).toEqual(store.log.map((_, index) => index + 1))
        expect(new Set(stored).size).toBe(stored.length)
        for (const [index, { id }] of messages.entries()) {
          const outcome = settled[index]
          if (typeof outcome === 'number') expect(stored).toContain(`a${id}`)
          else if (outcome === 'refused') expect(guilty).toContain(`a${id}`)
          else
            expect([['UNAVAILABLE', 'ROOM_ELSEWHERE'], lost]).toEqual([
              expect.arrayContaining([outcome]),
              ['failed'],
            ])
          if (guilty.has(`a${id}`)) expect(outcome).not.toBeTypeOf('number')
        }
        const replayed = await replayLog(emptyRoom(origin, blueprint), store.log, blueprint)
        expect(replayed.skipped).toBeNull()
        expect(room.state()).toEqual(replayed.state)
        // A snapshot may contain only what is in the log.
        for (const { state, seq } of kept)
          expect(await replayLog(emptyRoom(origin, blueprint), store.log.slice(0, seq), blueprint)).toEqual({
            state,
            skipped: null,
          })
        expect(told).toEqual(told.map((_, index) => index + 1))
      },
    ),
    { ...seeded, numRuns: 400 },
  )
})

/** More ids than a seat remembers, so that old ones come again. */
const aRepeatedMessage = fc.record({ pause: fc.nat(3), id: fc.nat(260), restarts: fc.nat(40) })

it('[RM65] an action id counts once for the life of the room, even across restarts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aRepeatedMessage, { minLength: 350, maxLength: 450 }),
      fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 8 }),
      async (messages, latencies, maxItems) => {
        const store = createStore(() => false, latencies, -1)
        const open = (state: RoomState, seq: number) =>
          createLiveRoom(
            {
              blueprint,
              clock: { now: () => 1_000 },
              epoch: 1,
              quota: noQuota,
              firstAnswer: store.firstAnswer,
              rest: () => Promise.reject(new Error('somebody is there')),
              assignCondition: () => Promise.reject(new Error('nobody is assigned anything')),
              append: createGroupCommit(store.append, { maxItems }).add,
              onEmitted: () => {},
              onKept: () => {},
              onLost: (reason) => {
                throw new Error(`lost: ${reason}`)
              },
              onTickFailed: (error) => {
                throw error
              },
              turnShare: createTurnShare(20),
            },
            state,
            seq,
          )
        let room = open(emptyRoom(origin, blueprint), 0)
        await room.dispatch({ type: 'opened', members: [member], agents: [], seed: 'seed', ordinal: 0 })
        const answers = new Map<number, Promise<number>[]>()
        for (const { pause, id, restarts } of messages) {
          await turns(pause)
          const who = { participantId: 'p1', actionId: `a${id}` }
          const answer = room.dispatch({ type: 'send_message', ...who, text: `${id}` })
          answers.set(id, [...(answers.get(id) ?? []), answer])
          if (restarts !== 0) continue
          // As if any instance restored it from a snapshot of its last state.
          await Promise.all([...answers.values()].flat())
          room.stop()
          room = open(JSON.parse(JSON.stringify(room.state())) as RoomState, store.log.length)
        }
        for (const own of answers.values()) expect(new Set(await Promise.all(own)).size).toBe(1)
        room.stop()
        const said = store.log.flatMap(({ actionId }) => actionId ?? [])
        expect(said).toHaveLength(answers.size)
        expect(new Set(said)).toEqual(new Set([...answers.keys()].map((id) => `a${id}`)))
        const replayed = await replayLog(emptyRoom(origin, blueprint), store.log, blueprint)
        expect(replayed).toEqual({ state: room.state(), skipped: null })
      },
    ),
    { ...seeded, numRuns: 40, endOnFailure: true },
  )
})

it('[RM65] a repeat of an action that is no longer possible gets the first answer, too', async () => {
  const store = createStore(() => false, [1], -1)
  const room = createLiveRoom(depsWith(blueprint, store), emptyRoom(origin, blueprint), 0)
  await room.dispatch({ type: 'opened', members: [member], agents: [], seed: 'seed', ordinal: 0 })
  const say = (actionId: string) =>
    room.dispatch({ type: 'send_message', participantId: 'p1', actionId, text: actionId })
  const first = await say('first')
  for (let number = 0; number < 150; number++) await say(`n${number}`)
  const leave = () => room.dispatch({ type: 'leave', participantId: 'p1', actionId: 'leave' })
  // The room ends with its last participant; that event is not part of the acknowledgement.
  const left = await leave()
  expect(room.state().status.kind).toBe('ended')
  expect(await leave()).toBe(left)
  expect(await say('first')).toBe(first)
  await expect(say('new')).rejects.toMatchObject({ code: 'ROOM_ENDED' })
  room.stop()
})

it('[RM190] what the study does not collect of an answer is neither logged nor recorded, and replays the same', async () => {
  const asking = (paradata?: ParadataKind[]) =>
    compileBlueprint(
      parseDefinition({
        name: 'Ask',
        states: [{ id: 'ask', components: [{ id: 'rate', type: 'slider' }] }],
        ...(paradata && { paradata }),
      }).study,
    )
  const sent = { focusLostCount: 1, focusLostMs: 900, pasteCount: 1, pastedCharacters: 7, networkDelayMs: 30 }
  const cases: [kinds: ParadataKind[] | undefined, kept: object | undefined][] = [
    [undefined, undefined],
    [['typing'], undefined],
    [['focus', 'network'], { focusLostCount: 1, focusLostMs: 900, networkDelayMs: 30 }],
  ]
  for (const [kinds, kept] of cases) {
    const blueprint = asking(kinds)
    const store = createStore(() => false, [1], -1)
    const room = createLiveRoom(depsWith(blueprint, store), emptyRoom(origin, blueprint), 0)
    await room.dispatch({ type: 'opened', members: [member], agents: [], seed: 'seed', ordinal: 0 })
    const who = { participantId: 'p1', actionId: 'a' }
    await room.dispatch({ type: 'submit_response', ...who, componentId: 'rate', value: 5, paradata: sent })
    room.stop()
    const { action, records } = store.log.at(-1) ?? {}
    expect(JSON.parse(action ?? '').paradata).toEqual(kept)
    expect(records?.map(({ event }) => JSON.parse(event.data).paradata)).toEqual([kept])
    const replayed = await replayLog(emptyRoom(origin, blueprint), store.log, blueprint)
    expect(replayed).toEqual({ state: room.state(), skipped: null })
  }
})
