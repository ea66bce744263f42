import { randomBytes } from 'node:crypto'
import { waitUntil } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { createInProcessBus } from '../../src/adapters/in-process/bus.ts'
import { createInProcessPods } from '../../src/adapters/in-process/pod-directory.ts'
import { createInProcessWaiting } from '../../src/adapters/in-process/waiting-queue.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { createExperiments } from '../../src/modules/experiments/index.ts'
import { createSessions, createSessionTokens } from '../../src/modules/sessions/index.ts'
import { createWaiting } from '../../src/modules/waiting/index.ts'
import { graceMs, positionKeptMs, type WaitingDeps } from '../../src/modules/waiting/waiting-deps.ts'
import type { WaitingQueue } from '../../src/ports/waiting-queue.ts'
import { noQuota } from '../no-quota.ts'
import { heldRoomsOn } from '../rooms/held-rooms.ts'
import { describeOnOneEngine } from '../stores/engines.ts'
import { joined, openExperiment } from '../stores/samples.ts'

const generous = { timeoutMs: 240_000 }
/** There are too few people, so only the clock ends their wait. */
const ending = { matching: { groupSize: 10, deadlineMs: 30_000, onDeadline: 'end_paid' as const } }

describeOnOneEngine('[R40] The waiting room of several experiments', (engine) => {
  const { instance } = heldRoomsOn(engine)

  /** A waiting room with real dependencies, some of which can be made to fail. */
  function openLobby(change: (deps: WaitingDeps) => Partial<WaitingDeps>) {
    const { experiments: experimentStore, sessions: sessionStore, rooms: roomStore } = engine().database
    const warnings: Record<string, unknown>[] = []
    // The test moves the clock: on a busy machine two people may arrive further apart than any practical deadline.
    let aheadMs = 0
    const clock: Clock = { now: () => systemClock.now() + aheadMs }
    const bus = createInProcessBus()
    const pods = createInProcessPods(systemClock)
    const experiments = createExperiments({
      store: experimentStore,
      clock,
      filled: async (definition) => definition,
    })
    const onBackgroundError = (error: unknown): void => {
      throw error
    }
    const shared = { experiments, bus, clock, podId: 'pod-0', softwareVersion: '0.0.0', onBackgroundError }
    const deps: WaitingDeps = {
      ...shared,
      sessions: createSessions({
        store: sessionStore,
        tokens: createSessionTokens([randomBytes(32).toString('base64url')]),
        bindIp: false,
        quota: noQuota,
        space: { has: () => true },
        originRetentionMs: 0,
        decidedInRoom: async () => undefined,
        paidInRoom: async () => undefined,
        withdrawFromRoom: async () => undefined,
        ...shared,
      }),
      rooms: instance('pod-0'),
      roomStore,
      pods,
      queue: createInProcessWaiting(pods),
      heartbeatMs: 60_000,
      onCounted: () => undefined,
      warn: (facts) => warnings.push(facts),
    }
    const waiting = createWaiting({ ...deps, ...change(deps) })
    waiting.start()
    onTestFinished(() => waiting.stop())
    return {
      warnings,
      reachDeadline: () => {
        aheadMs += ending.matching.deadlineMs
      },
      pass: (ms: number) => {
        aheadMs += ms
      },
      /** Somebody comes, and their connection is lost at once. */
      async comeAndVanish(experimentId: string) {
        const now = clock.now()
        const times = { now, expiresAt: now + 600_000 }
        const session = await joined(engine().database, experimentId, { soloRoom: false, ...times })
        const waiter = { session, send: () => undefined, close: () => undefined, isGone: () => false }
        await waiting.enter(waiter)
        waiting.gone(waiter)
        return session
      },
      /** Somebody joins and waits; what they are told in the end is added to `told`. */
      async come(experimentId: string) {
        const now = clock.now()
        const session = await joined(engine().database, experimentId, {
          soloRoom: false,
          now,
          expiresAt: now + 600_000,
        })
        const told: string[] = []
        const send = (name: string) => void told.push(name)
        await waiting.enter({ session, send, close: () => undefined, isGone: () => false })
        return told
      },
    }
  }

  const open = () => openExperiment(engine().database, ending)
  const isOver = (told: string[]) => () => told.includes('waiting_ended') || `only ${told.join()}`

  it('[W14] a round that throws is reported and does not starve other experiments', async () => {
    const bad = await open()
    const lobby = openLobby(({ experiments }) => ({
      experiments: {
        ...experiments,
        find: async (id: string) => {
          if (id === bad) throw new Error('nobody knows this one')
          return await experiments.find(id)
        },
      },
    }))
    // First, so that it comes before the others in the round.
    const unlucky = await lobby.come(bad)
    const others = [await lobby.come(await open()), await lobby.come(await open())]
    lobby.reachDeadline()
    for (const told of others) await waitUntil(isOver(told), generous)
    expect(unlucky).not.toContain('waiting_ended')
    expect(lobby.warnings).toContainEqual(expect.objectContaining({ experimentId: bad }))
  })

  it('[W25,R56,S25] whoever vanishes keeps the place as long as their position, and then gives it back', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database, { matching: { groupSize: 2 }, capacity: 2 })
    const left: string[][] = []
    const lobby = openLobby(({ sessions }) => ({
      sessions: {
        ...sessions,
        leaveWaiting: async (participantIds: string[]) => {
          left.push(participantIds)
          await sessions.leaveWaiting(participantIds)
        },
      },
    }))
    const places = async () => (await database.experiments.find(experimentId))?.participantCount
    const { participantId, sessionId } = await lobby.comeAndVanish(experimentId)
    expect(await places()).toBe(1)
    lobby.pass(graceMs + positionKeptMs)
    await waitUntil(async () => (await places()) === 0 || 'the place is still taken', generous)
    expect(left).toEqual([[participantId]])
    expect(await database.sessions.find(sessionId)).toMatchObject({ status: 'active', holdsPlace: false })
  })

  it('[W13] when the queue has lost everything, everybody waits again, with the time of their arrival', async () => {
    const experimentId = await open()
    let queue = createInProcessWaiting(createInProcessPods(systemClock))
    const newest = new Proxy({} as WaitingQueue, { get: (_, name) => Reflect.get(queue, name) })
    const lobby = openLobby(() => ({ queue: newest }))
    const arrivals = async () =>
      (await queue.view(experimentId, systemClock.now())).people.map(({ arrivedAt }) => arrivedAt)
    await lobby.come(experimentId)
    lobby.pass(5_000)
    await lobby.come(experimentId)
    const before = await arrivals()
    expect(before).toHaveLength(2)
    lobby.pass(5_000)
    queue = createInProcessWaiting(createInProcessPods(systemClock))
    expect(await arrivals()).toEqual([])
    await waitUntil(async () => (await arrivals()).length === 2 || 'somebody is not back', generous)
    expect(await arrivals()).toEqual(before)
  })

  it('[W15] endings that take long keep nobody from being present, nor other experiments from theirs', async () => {
    const slow = await open()
    const quick = await open()
    let isHeld = true
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const begun: string[] = []
    const kept: string[] = []
    let inRound = 0
    const lobby = openLobby(({ sessions, queue }) => ({
      sessions: {
        ...sessions,
        endWaiting: async (participantId: string, ...how: [outcome: string, reason: string]) => {
          begun.push(participantId)
          const [session] = await sessions.readMany(
            await engine().database.sessions.activeIdsOf([participantId]),
          )
          if (isHeld && session?.experimentId === slow) await held
          await sessions.endWaiting(participantId, ...how)
        },
      },
      queue: {
        ...queue,
        keep: (...args: Parameters<WaitingQueue['keep']>) => {
          kept.push(args[0])
          return queue.keep(...args)
        },
        view: async (...args: Parameters<WaitingQueue['view']>) => {
          const view = await queue.view(...args)
          if (args[0] === slow) inRound = view.people.length
          return view
        },
      },
    }))
    const people = [await lobby.come(slow), await lobby.come(slow), await lobby.come(slow)]
    // A round that still knows only the first of them would end and hold that one, and no other round could begin.
    await waitUntil(() => inRound === 3 || `a round of ${inRound}`, generous)
    lobby.reachDeadline()
    await waitUntil(() => begun.length >= 2 || 'one after the other', generous)
    const told = await lobby.come(quick)
    lobby.reachDeadline()
    const before = kept.length
    await waitUntil(isOver(told), generous)
    await waitUntil(
      () => kept.slice(before).filter((id) => id === slow).length >= 3 || 'nobody is kept',
      generous,
    )
    expect(people.flat()).not.toContain('waiting_ended')
    isHeld = false
    release()
    for (const one of people) await waitUntil(isOver(one), generous)
  })

  it('[W15] a failed ending is reported and retried; the others succeed', async () => {
    const experimentId = await open()
    let failures = 0
    const lobby = openLobby(({ sessions }) => ({
      sessions: {
        ...sessions,
        endWaiting: async (participantId: string, ...how: [outcome: string, reason: string]) => {
          if (failures++ === 0) throw new Error('not this time')
          await sessions.endWaiting(participantId, ...how)
        },
      },
    }))
    const people = [await lobby.come(experimentId), await lobby.come(experimentId)]
    lobby.reachDeadline()
    for (const told of people) await waitUntil(isOver(told), generous)
    expect(lobby.warnings).toEqual([expect.objectContaining({ experimentId })])
  })
})
