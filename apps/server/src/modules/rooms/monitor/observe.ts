import { type LiveExperiment, type LivePush, type LiveWord, maxLiveWords } from '@atrium/contract'
import type { Clock } from '../../../kernel/clock.ts'
import type { Experiments } from '../../experiments/index.ts'
import type { SeenRoom } from '../reports/live-rooms.ts'
import { wordsIn } from '../reports/live-words.ts'
import type { LogPlace } from '../rooms.store.ts'
import type { Rooms } from '../rooms.ts'
import { cacheFor } from './cache-for.ts'

export interface ObserverDeps {
  rooms: Pick<Rooms, 'watch' | 'wordsAfter'>
  experiments: Pick<Experiments, 'monitor' | 'funnel' | 'usualTimes'>
  waitingFor(experimentId: string): Promise<{ participantId: string; role: string; arrivedAt: number }[]>
  clock: Clock
}

/** An experiment at one moment, and what is needed to see what is new in the next. */
export interface Observation {
  live: LiveExperiment
  seen: ReadonlyMap<string, SeenRoom>
}

const maxWaiting = 50
/** What somebody who starts to watch sees first: the end of the log of so many rooms. */
const roomsAtFirst = 50
const actionsAtFirst = 5
/** Read from many events, and changes slowly. */
const usualTimesMs = 5_000
const funnelMs = 1_000

/** Looks at one experiment, again and again. Nothing of it depends on who watches. */
export function createObserver(
  { rooms, experiments, waitingFor, clock }: ObserverDeps,
  experimentId: string,
) {
  const usualTimes = cacheFor(clock, usualTimesMs, () => experiments.usualTimes(experimentId))
  const funnel = cacheFor(clock, funnelMs, () => experiments.funnel(experimentId))

  async function wordsSince(
    before: Observation | undefined,
    seen: ReadonlyMap<string, SeenRoom>,
  ): Promise<LiveWord[]> {
    const places = before ? placesSince(before, seen) : placesAtFirst([...seen.values()])
    if (places.length === 0) return []
    const logged = await rooms.wordsAfter(places, maxLiveWords)
    return logged
      .filter(({ roomId, seq }) => seq <= (seen.get(roomId)?.room.lastSeq ?? seq))
      .flatMap((action) => {
        const room = seen.get(action.roomId) ?? before?.seen.get(action.roomId)
        return wordsIn(action, room?.aliases ?? new Map())
      })
      .slice(0, maxLiveWords)
  }

  return async (before?: Observation): Promise<Observation> => {
    const { participants } = await experiments.monitor(experimentId)
    const waiting = await waitingFor(experimentId)
    const { rooms: found, hasMoreRooms } = await rooms.watch(experimentId)
    const seen = new Map(found.map((room) => [room.room.roomId, room]))
    const isKept = ({ roomId }: LiveWord) => {
      const room = seen.get(roomId)?.room
      return room !== undefined && before?.seen.get(roomId)?.room.epoch === room.epoch
    }
    const words = await wordsSince(before, seen)
    return {
      seen,
      live: {
        at: clock.now(),
        joined: participants.total,
        ...(await funnel()),
        active: participants.active,
        completed: participants.completed,
        waiting: {
          people: waiting.length,
          first: waiting
            .slice(0, maxWaiting)
            .map(({ participantId, role, arrivedAt }) => ({ participantId, role, since: arrivedAt })),
        },
        usual: await usualTimes(),
        rooms: found.map(({ report }) => report),
        hasMoreRooms,
        words: [...words, ...(before?.live.words.filter(isKept) ?? [])].slice(0, maxLiveWords),
      },
    }
  }
}

function placesSince(before: Observation, seen: ReadonlyMap<string, SeenRoom>): LogPlace[] {
  const news = [...seen.values()].flatMap(({ room: { roomId, epoch, lastSeq } }) => {
    const known = before.seen.get(roomId)?.room
    // A room under a new epoch may have lost somebody who was deleted (R48), so its words are read again.
    if (known?.epoch !== epoch) return [{ roomId, seq: Math.max(0, lastSeq - actionsAtFirst) }]
    return lastSeq > known.lastSeq ? [{ roomId, seq: known.lastSeq }] : []
  })
  // The last answer is often the one that ended the room.
  const ended = [...before.seen.values()].filter(({ room: { roomId } }) => !seen.has(roomId))
  return [...news, ...ended.map(({ room: { roomId, lastSeq } }) => ({ roomId, seq: lastSeq }))]
}

const placesAtFirst = (rooms: readonly SeenRoom[]): LogPlace[] =>
  rooms
    .filter(({ report }) => !report.resting)
    .slice(0, roomsAtFirst)
    .map(({ room: { roomId, lastSeq } }) => ({ roomId, seq: Math.max(0, lastSeq - actionsAtFirst) }))

/** What has changed from one observation to the next; undefined for nothing. */
export function changeBetween(before: Observation, { live, seen }: Observation): LivePush | undefined {
  const isMoved = [...seen].some(([roomId, { room }]) => {
    const known = before.seen.get(roomId)?.room
    return known !== undefined && known.epoch !== room.epoch
  })
  if (isMoved) return { ...live, isWhole: true, gone: [] }
  const known = new Map(before.live.rooms.map((room) => [room.roomId, JSON.stringify(room)]))
  const rooms = live.rooms.filter((room) => known.get(room.roomId) !== JSON.stringify(room))
  const gone = before.live.rooms.map(({ roomId }) => roomId).filter((roomId) => !seen.has(roomId))
  const spoken = new Set(before.live.words.map(nameOf))
  const words = live.words.filter((word) => !spoken.has(nameOf(word)))
  const isSame = rooms.length + gone.length + words.length === 0 && figuresIn(before.live) === figuresIn(live)
  return isSame ? undefined : { ...live, rooms, words, isWhole: false, gone }
}

const nameOf = ({ roomId, number, componentId, text }: LiveWord): string =>
  JSON.stringify([roomId, number, componentId, text])

const figuresIn = ({ at: _, rooms: __, words: ___, ...figures }: LiveExperiment): string =>
  JSON.stringify(figures)
