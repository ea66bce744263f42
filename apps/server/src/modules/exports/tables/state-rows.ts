import { endOfExperiment } from '@atrium/contract'
import type { ExportedSession, SessionPart, StoredEvent } from '../exports.store.ts'
import { dataOf, markOf, originOf, type Row, type TableRows, textIn, timesOf, whoOf } from './row.ts'

const transition = 'state_transition'
/** How a participant's part in a room ends. */
const endings = ['finished', 'left', 'removed']

type Origin = ReturnType<typeof originOf>

interface Walk {
  participantId: string
  /** The state they are in, without when they left it: by the room, and by what their page says. */
  open: Map<Origin, Row & { enteredAt: number }>
  /** How often they have entered a state in a round. */
  entered: Map<string, number>
}

/** By the clock of whoever says so: all visits of one origin are by the same. */
const momentOf = ({ serverTime, clientTime, roomSeq }: StoredEvent): number =>
  roomSeq === null ? (clientTime ?? serverTime) : serverTime

/** A state is left when the next one is entered, so a row is complete by then, or when there is no more of its participant. */
export function stateRows(): TableRows {
  let walk: Walk | undefined

  const leave = (origin: Origin, at: number | null, nextStateId: string | null): Row[] => {
    const visit = walk?.open.get(origin)
    if (!walk || !visit) return []
    walk.open.delete(origin)
    const durationMs = at === null ? null : at - visit.enteredAt
    return [{ ...visit, leftAt: at, durationMs, nextStateId }]
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
    walk.open.set(origin, {
      ...whoOf(session),
      ...{ seq, stateId, round, visit, occurrence, origin, roomSeq },
      enteredAt: at,
      ...timesOf(event),
      ...markOf(session),
    })
    return rows
  }

  function rowsOfPart({ session, events }: SessionPart): Row[] {
    const { participantId } = session
    const rows = walk && walk.participantId !== participantId ? leaveAll() : []
    if (walk?.participantId !== participantId) walk = { participantId, open: new Map(), entered: new Map() }
    for (const event of events) {
      if (event.type === transition) rows.push(...enter(event, session))
      else if (originOf(event) === 'room') rows.push(...leave('room', event.serverTime, null))
    }
    return rows
  }

  return {
    types: [transition, ...endings],
    rowsOf: (parts, isLast) => [...parts.flatMap(rowsOfPart), ...(isLast ? leaveAll() : [])],
  }
}
