import { endOfExperiment } from '@atrium/contract'
import type { ExportedSession, SessionPart, StoredEvent } from '../exports.store.ts'
import { dataOf, jsonOf, markOf, originOf, type Row, type TableRows, textIn, timesOf, whoAt } from './row.ts'

const transition = 'state_transition'
/** How a participant's part in a room ends. */
const endings = ['finished', 'left', 'removed', 'stage_finished']
/** What says whether somebody was there, and whether time stood still. */
const circumstances = ['connected', 'disconnected', 'room_paused', 'room_resumed']

type Origin = ReturnType<typeof originOf>

interface Walk {
  participantId: string
  /** The state they are in, without when they left it: by the room, and by what their page says. */
  open: Map<Origin, Row & { enteredAt: number }>
  isConnected: boolean
  /** Whether they have been there since they entered the room's state. */
  wasPresent: boolean
  pausedSince: number | null
  /** Of earlier pauses in the room's state. */
  pausedMs: number
  /** How often they have entered a state in a round. */
  entered: Map<string, number>
}

/** R88, on the server's clock: what a page says is set to it, by how far its own is known to be off. */
const momentOf = ({ serverTime, clientTime, clockOffsetMs, roomSeq }: StoredEvent): number =>
  roomSeq !== null || clientTime === null || clockOffsetMs === null ? serverTime : clientTime + clockOffsetMs

/** A state is left when the next one is entered, so a row is complete by then, or when there is no more of its participant. */
export function stateRows(): TableRows {
  let walk: Walk | undefined

  const leave = (origin: Origin, at: number | null, nextStateId: string | null): Row[] => {
    const visit = walk?.open.get(origin)
    if (!walk || !visit) return []
    walk.open.delete(origin)
    const durationMs = at === null ? null : at - visit.enteredAt
    const row = { ...visit, leftAt: at, durationMs, nextStateId }
    if (origin === 'client') return [row]
    endPause(walk, at, visit.enteredAt)
    return [{ ...row, pausedMs: walk.pausedMs, wasPresent: walk.wasPresent }]
  }
  const leaveAll = (): Row[] => [...leave('room', null, null), ...leave('client', null, null)]

  function enter(event: StoredEvent, session: ExportedSession): Row[] {
    const origin = originOf(event)
    const stateId = textIn(dataOf(event).toState) ?? event.stateId
    const isEnd = stateId === null || (origin === 'client' && stateId === endOfExperiment)
    const at = momentOf(event)
    const rows = leave(origin, at, isEnd ? null : stateId)
    if (!walk || isEnd) return rows
    const { seq, round, visit, roomSeq } = event
    const key = `${origin} ${stateId} ${round}`
    const occurrence = (walk.entered.get(key) ?? 0) + 1
    walk.entered.set(key, occurrence)
    if (origin === 'room') Object.assign(walk, { wasPresent: walk.isConnected, pausedMs: 0 })
    walk.open.set(origin, {
      ...whoAt(event, session),
      ...{ seq, stateId, round, visit, occurrence, origin, roomSeq },
      enteredAt: at,
      outerRounds: origin === 'room' ? jsonOf(dataOf(event).within) : null,
      componentOrder: origin === 'room' ? jsonOf(dataOf(event).components) : null,
      ...timesOf(event),
      ...markOf(session),
    })
    return rows
  }

  function rowsOfPart({ session, events }: SessionPart): Row[] {
    const { participantId } = session
    const rows = walk && walk.participantId !== participantId ? leaveAll() : []
    if (walk?.participantId !== participantId) walk = beginWalk(session)
    for (const event of events) {
      if (event.type === transition) rows.push(...enter(event, session))
      else if (circumstances.includes(event.type)) note(walk, event)
      else if (originOf(event) === 'room') rows.push(...leave('room', event.serverTime, null))
    }
    return rows
  }

  return {
    types: [transition, ...endings, ...circumstances],
    rowsOf: (parts, isLast) => [...parts.flatMap(rowsOfPart), ...(isLast ? leaveAll() : [])],
  }
}

/** Agents have no connection that could be lost. */
const beginWalk = ({ participantId, agent }: ExportedSession): Walk => ({
  participantId,
  open: new Map(),
  entered: new Map(),
  isConnected: agent !== null,
  wasPresent: agent !== null,
  pausedSince: null,
  pausedMs: 0,
})

function note(walk: Walk, event: StoredEvent): void {
  if (originOf(event) === 'client') return
  const { type, serverTime } = event
  if (type === 'room_paused') walk.pausedSince = serverTime
  else if (type === 'room_resumed') {
    endPause(walk, serverTime, walk.open.get('room')?.enteredAt ?? serverTime)
    walk.pausedSince = null
  } else {
    walk.isConnected = type === 'connected'
    walk.wasPresent ||= walk.isConnected
  }
}

/** Adds what a pause that is under way has taken of the state so far. */
function endPause(walk: Walk, at: number | null, enteredAt: number): void {
  if (walk.pausedSince !== null && at !== null) walk.pausedMs += at - Math.max(walk.pausedSince, enteredAt)
}
