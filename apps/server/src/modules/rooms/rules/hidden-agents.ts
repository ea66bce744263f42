import { pickSome, type Random } from '@atrium/contract'
import { random } from '@atrium/flow'
import { type AgentPart, interrupted } from '../model/agent-part.ts'
import { isPerson } from '../model/agents-in-room.ts'
import { isActive, type RoomState, type Seat } from '../model/room-state.ts'
import { emitAbout, record, type Turn } from '../model/turn.ts'
import { skewedMs } from './planned-turn.ts'

// RM172, RM173: where agents are hidden, they come and go as people do. All of it follows from the room's seed and the
// times of actions, so that a replayed room does the same.

/** Pages of a group that was just matched connect within a second or two of each other. */
const usualGapMs = 700
/** Without the people it waits for, it comes all the same. */
const latestArrivalMs = 6_000
/** As after a page was reloaded, or a connection lost. */
const usualReturnMs = 8_000

/** Seats, and so aliases, are drawn: an agent is anywhere among the people. Some agents are there before them. */
export function blendAgents(turn: Turn): void {
  const { room, blueprint, now } = turn
  const people = room.seats.filter(isPerson).length
  if (people === 0 || blueprint.definition.disclosure?.agents !== 'hidden') return
  room.isBlended = true
  const draw = random(`${room.seed} seats`)
  room.seats = pickSome(room.seats, room.seats.length, draw).map((seat, index) => {
    const { agent } = seat
    const drawn = { ...seat, alias: `P${index + 1}` }
    if (!agent || isFirst(people, draw)) return drawn
    const arrival = { people: 1, dueAt: now + skewedMs(latestArrivalMs, draw) }
    return { ...drawn, presence: awaySince(now), agent: { ...agent, arrival } }
  })
}

/** As likely as for each of the people. The others come some time after the first of them. */
const isFirst = (people: number, draw: Random): boolean => draw() * (people + 1) < 1

const awaySince = (since: number): Seat['presence'] => ({ kind: 'away', since, graceUntil: null })

const drawFor = ({ room, now }: Turn, { participantId }: Seat, what: string): Random =>
  random(`${room.seed} ${participantId} ${what} ${now}`)

const connected = ({ seats }: RoomState): number =>
  seats.filter((seat) => isPerson(seat) && seat.presence.kind === 'connected').length

/** Somebody has come, which brings the agents that were to come next. */
export function bringAgents(turn: Turn): void {
  const { seats } = turn.room
  const there = connected(turn.room)
  for (const seat of seats) {
    const { agent } = seat
    const people = agent?.arrival?.people ?? null
    if (!agent?.arrival || people === null || people > there) continue
    const dueAt = Math.min(
      agent.arrival.dueAt,
      turn.now + skewedMs(usualGapMs, drawFor(turn, seat, 'comes'), 0.9),
    )
    seat.agent = { ...agent, arrival: { people: null, dueAt } }
  }
}

/** The agents whose time has come. */
export function seatArrivals(turn: Turn): void {
  for (const seat of turn.room.seats) {
    const { agent } = seat
    if (!agent?.arrival || !isActive(seat) || agent.arrival.dueAt > turn.now) continue
    const { arrival: _come, ...there } = agent
    seat.agent = there
    seat.presence = { kind: 'connected' }
    record(turn, seat, 'connected', { data: {} })
    emitAbout(turn, seat, { type: 'presence', alias: seat.alias, presence: 'connected' })
  }
}

/** Everybody's connection was lost, or nobody has been there for long: the agents go with the people, and return among them. */
export function takeAgentsAlong(turn: Turn): void {
  const { room } = turn
  if (!room.isBlended || room.status.kind === 'ended') return
  const people = room.seats.filter((seat) => isPerson(seat) && isActive(seat)).length
  for (const seat of room.seats) {
    const { agent } = seat
    if (!agent || agent.arrival || !isActive(seat)) continue
    const draw = drawFor(turn, seat, 'returns')
    const comesFirst = isFirst(people, draw)
    const usualMs = comesFirst ? usualGapMs : latestArrivalMs
    seat.agent = {
      ...(room.finishesTurns ? interrupted(agent) : agent),
      arrival: { people: comesFirst ? null : 1, dueAt: turn.now + skewedMs(usualMs, draw) },
    }
    seat.presence = awaySince(turn.now)
    record(turn, seat, 'disconnected', { data: {} })
    emitAbout(turn, seat, { type: 'presence', alias: seat.alias, presence: 'away' })
  }
}

/** Whether the person who comes back finds a room in which nobody has been for long. */
export const isForsaken = (room: RoomState, { presence }: Seat): boolean =>
  room.isBlended === true && presence.kind === 'away' && presence.graceUntil === null && connected(room) === 0

/** RM175: it comes after a pause, as if the person whose seat it takes had come back. */
export const returning = (turn: Turn, seat: Seat, agent: AgentPart): Pick<Seat, 'presence' | 'agent'> => ({
  presence: awaySince(turn.now),
  agent: {
    ...agent,
    arrival: { people: null, dueAt: turn.now + skewedMs(usualReturnMs, drawFor(turn, seat, 'takes over')) },
  },
})
