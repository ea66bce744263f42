import { type ExperimentDefinition, type RoomPage, type RoomSummary, stageIdOf } from '@atrium/contract'
import type { Clock } from '../../../kernel/clock.ts'
import { listCursor } from '../../../kernel/list-cursor.ts'
import type { Experiments } from '../../experiments/index.ts'
import type { ListedRoom, RoomStore } from '../rooms.store.ts'
import { conditionOf, isAssignedByCount } from '../rules/opening.ts'

export interface RoomQuery {
  openOnly: boolean
  limit: number
  /** The `next` of the previous page. */
  before: string | null
}

interface RoomListDeps {
  store: RoomStore
  experiments: Experiments
  clock: Clock
}

/** RM56: read from the store, whichever instances hold the rooms. */
export async function listRooms(
  { store, experiments, clock }: RoomListDeps,
  experimentId: string,
  { openOnly, limit, before }: RoomQuery,
): Promise<RoomPage> {
  await experiments.find(experimentId)
  const found = await store.list({
    experimentId,
    openOnly,
    now: clock.now(),
    before: before === null ? null : readCursor(before),
    // One more than requested shows whether there is another page.
    limit: limit + 1,
  })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const definitions = new Map<number, ExperimentDefinition>()
  for (const revision of new Set(shown.map((room) => room.revision)))
    definitions.set(revision, await experiments.definition(experimentId, revision))
  const conditionIn = ({ revision, ordinal, condition }: ListedRoom): string | null => {
    if (condition !== null) return condition
    const definition = definitions.get(revision)
    return definition && ordinal !== null && !isAssignedByCount(definition.conditions)
      ? conditionOf(definition, { experimentId, ordinal })
      : null
  }
  const stageIn = ({ revision, stage }: ListedRoom): string | null =>
    stageIdOf(definitions.get(revision) ?? {}, stage)
  return {
    rooms: shown.map((room) => summaryOf(room, { condition: conditionIn(room), stage: stageIn(room) })),
    next: last && found.length > limit ? writeCursor(last) : null,
  }
}

function summaryOf(room: ListedRoom, shown: Pick<RoomSummary, 'condition' | 'stage'>): RoomSummary {
  const hasEnded = room.closedAt !== null
  const isAsleep = room.restingSince !== null || room.ordinal === null
  return {
    roomId: room.roomId,
    status: hasEnded ? 'ended' : room.pausedAt === null ? 'running' : 'paused',
    resting: !hasEnded && isAsleep,
    endReason: room.endReason,
    ...shown,
    participants: room.participants,
    // X48: after its end there is nothing left to do there; at rest, nobody is connected.
    active: hasEnded || (room.restingSince !== null && room.ordinal !== null) ? 0 : room.active,
    agents: room.agents,
    synthetic: room.synthetic,
    podId: hasEnded || isAsleep ? null : room.podId,
    createdAt: room.createdAt,
    endedAt: room.closedAt,
  }
}

const { write: writeCursor, read: readCursor } = listCursor('createdAt', 'roomId')
