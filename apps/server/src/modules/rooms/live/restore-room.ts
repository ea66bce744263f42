import { stageOf } from '@atrium/contract'
import type { Clock } from '../../../kernel/clock.ts'
import type { Quota } from '../../../kernel/quota.ts'
import { createTurnShare } from '../../../kernel/turn-share.ts'
import type { Experiments } from '../../experiments/index.ts'
import type { Blueprint } from '../model/blueprint.ts'
import { nextDeadline } from '../model/deadlines.ts'
import { metadataFor } from '../model/metadata-read.ts'
import type { ClaimedRoom, RoomRecord, RoomStore } from '../rooms.store.ts'
import { createBlueprintCache } from './blueprint-cache.ts'
import { applyCompletions, applyWithdrawals } from './departures.ts'
import { createLiveRoom, type LiveRoom, type LiveRoomDeps } from './live-room.ts'
import { readRoom } from './read-room.ts'
import { createRoomCommits } from './room-log.ts'
import { createRoomSnapshots } from './room-snapshots.ts'

export interface RoomRestorerDeps {
  store: RoomStore
  experiments: Experiments
  clock: Clock
  quota: Quota
  /** For the log: a constant message, and structured fields. */
  warn(facts: Record<string, unknown>, message: string): void
}

export type RoomHooks = Pick<LiveRoomDeps, 'onEmitted' | 'onLost'>

/** Of the event loop, for the actions of all rooms. One action may take longer, but not the next one on top of it. */
const longestTurnMs = 20

/** Which blueprint a room has. */
type PlayedStage = Pick<RoomRecord, 'experimentId' | 'revision' | 'stage'>

export type RoomRestorer = ReturnType<typeof createRoomRestorer>

/** Restores claimed rooms from their logs, and writes what happens in them. */
export function createRoomRestorer({ store, experiments, clock, quota, warn }: RoomRestorerDeps) {
  const commits = createRoomCommits(store)
  const snapshots = createRoomSnapshots({
    save: store.saveSnapshot,
    onFailed: (error, roomId) =>
      warn({ err: error, roomId }, 'a snapshot of a room could not be written; its log is whole'),
  })
  const blueprints = createBlueprintCache()
  const turnShare = createTurnShare(longestTurnMs)

  const blueprintOf = ({ experimentId, revision, stage }: PlayedStage): Promise<Blueprint> =>
    blueprints.get(`${experimentId} ${revision} ${stage ?? ''}`, async () =>
      stageOf(await experiments.filled(await experiments.written(experimentId, revision)), stage),
    )

  /** Brings the room up to date; its clock does not run yet. */
  async function restore(claimed: ClaimedRoom, hooks: RoomHooks): Promise<LiveRoom> {
    const { roomId, epoch } = claimed
    const blueprint = await blueprintOf(claimed)
    const { state, seq, skipped, snapshot } = await readRoom(store, claimed, blueprint)
    if (skipped)
      warn({ roomId, ...skipped }, 'actions in the log of a room no longer apply; they are left out')
    const live = createLiveRoom(
      {
        blueprint,
        clock,
        epoch,
        quota,
        append: commits.append,
        turnShare,
        rest: store.rest,
        assignCondition: store.assignCondition,
        firstAnswer: (actor, actionId) => store.firstAnswer(roomId, actor, actionId),
        onKept: snapshots.follow(roomId, epoch, snapshot),
        onTickFailed: (error, failures) =>
          warn({ err: error, roomId, failures }, 'the clock of a room could not be kept; it is tried again'),
        ...hooks,
        isAsleep: true,
      },
      state,
      seq,
    )
    try {
      // Before whatever is due, which would record something for them.
      await applyWithdrawals(live, claimed.withdrawn, claimed.wasAsleep ? dueOrNow(live) : undefined)
      await begin(live, seq === 0 ? await withMetadata(claimed, blueprint) : claimed, seq)
      // A room for one may be opened by a researcher before consent is given.
      if (claimed.members.length > 1) await applyWithdrawals(live, claimed.withdrawn)
      await applyCompletions(live, claimed.completed)
    } catch (error) {
      live.stop()
      throw error
    }
    return live
  }

  /** RM193: only what the study reads leaves the records of who people are. */
  async function withMetadata(claimed: ClaimedRoom, blueprint: Blueprint): Promise<ClaimedRoom> {
    if (blueprint.metadata.length === 0) return claimed
    const given = await store.metadataOf(claimed.roomId)
    const members = claimed.members.map((member) => ({
      ...member,
      metadata: metadataFor(blueprint.metadata, given.get(member.participantId) ?? {}),
    }))
    return { ...claimed, members }
  }

  /** The log of a resting room must not run backwards when its deadlines are applied. */
  function dueOrNow(live: LiveRoom): number {
    const now = clock.now()
    return Math.min(now, nextDeadline(live.state()) ?? now)
  }

  return {
    restore,
    blueprintOf,
    figures: commits.figures,
    async stop(): Promise<void> {
      await commits.drain()
      await snapshots.stop()
    },
  }
}

async function begin(live: LiveRoom, claimed: ClaimedRoom, seq: number): Promise<void> {
  const { members, agents, personas, seed, ordinal, assignment } = claimed
  const more = { ...(personas && { personas }), ...(assignment && { assigned: assignment }) }
  if (seq === 0)
    await live.dispatch({
      ...{ type: 'opened', members, agents, ...more, seed, ordinal },
      ...{ countsAbsence: true, blendsAgents: true, finishesTurns: true },
    })
  else if (claimed.wasAsleep) await live.catchUp()
  else if (live.state().status.kind !== 'ended') await live.dispatch({ type: 'restored' })
}
