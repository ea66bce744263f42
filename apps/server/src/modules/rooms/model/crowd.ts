import { type CrowdView, type ExperimentDefinition, maxListedGroup } from '@atrium/contract'
import type { Emitted } from './room-audience.ts'
import type { RoomState, Seat } from './room-state.ts'
import { shownStatus } from './shown-status.ts'

/**
 * R73: a room in which nobody is told about each of the others: five hundred people who come in, answer and go on would
 * cause a quarter of a million messages each time. Whoever takes over a seat does not make a room larger. In a network
 * people are told about their neighbours alone.
 */
export const isCrowd = ({ seats, network }: Pick<RoomState, 'seats' | 'network'>): boolean =>
  !network && seats.length > maxListedGroup && seats.filter(holdsSeat).length > maxListedGroup

const holdsSeat = ({ replacedBy }: Seat): boolean => replacedBy === undefined

/** The same for everyone in the room, so that it is written once. */
export function crowdOf({ seats }: RoomState, definition: ExperimentDefinition): CrowdView {
  const crowd = { members: 0, away: 0, dropped: 0, gone: 0, ready: 0, agents: 0 }
  const roles = new Map<string, number>()
  for (const seat of seats.filter(holdsSeat)) {
    const status = shownStatus({ definition }, seat)
    if (status === 'dropped') crowd.dropped++
    else if (status !== 'active' && status !== 'agent') crowd.gone++
    else {
      crowd.members++
      if (seat.presence.kind === 'away') crowd.away++
      if (seat.here.ready) crowd.ready++
      if (seat.agent && definition.disclosure?.agents !== 'hidden') crowd.agents++
      roles.set(seat.role, (roles.get(seat.role) ?? 0) + 1)
    }
  }
  return { ...crowd, roles: Object.fromEntries(roles) }
}

/**
 * What is left of the events of an action where members are not listed: what one of them does is told to them alone. The
 * rules still emit all of it, because events are numbered, and logs of rooms from before are replayed.
 */
export function toldInCrowd({ seats }: RoomState, emitted: readonly Emitted[]): readonly Emitted[] {
  let byAlias: ReadonlyMap<string, readonly Seat[]> | undefined
  function toldTo(alias: string): Emitted['audience'] {
    byAlias ??= Map.groupBy(seats, (seat) => seat.alias)
    const participantIds = (byAlias.get(alias) ?? []).map(({ participantId }) => participantId)
    return { kind: 'participants', participantIds }
  }
  const told = emitted.flatMap((one): Emitted[] => {
    const { event } = one
    switch (event.type) {
      case 'presence':
      case 'seated':
        return []
      case 'ready':
      case 'seat':
      case 'response_recorded':
        return [{ event, audience: toldTo(event.alias) }]
      case 'roles':
        return Object.entries(event.roles).map(([alias, role]) => ({
          audience: toldTo(alias),
          event: { ...event, roles: { [alias]: role }, names: {} },
        }))
      default:
        return [one]
    }
  })
  return told.reduce<Emitted[]>(withReader, [])
}

/** A message of a chat that not everybody may read is an event for each reader; here it is written once for all of them. */
function withReader(told: Emitted[], one: Emitted): Emitted[] {
  const former = told.at(-1)
  if (
    former?.event.type === 'message' &&
    one.event.type === 'message' &&
    former.event.message.messageId === one.event.message.messageId &&
    former.audience.kind === 'participants' &&
    one.audience.kind === 'participants'
  ) {
    const participantIds = [...former.audience.participantIds, ...one.audience.participantIds]
    told[told.length - 1] = { event: one.event, audience: { kind: 'participants', participantIds } }
  } else told.push(one)
  return told
}
