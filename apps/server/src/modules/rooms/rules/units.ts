import { type FlowState, isActive, isOpen, type Seat } from '../model/room-state.ts'
import type { Turn } from '../model/turn.ts'

/** The participants who move together: the whole room, or one of them. */
export interface Unit {
  seats: readonly Seat[]
  flow: FlowState
  moveTo(flow: FlowState): void
}

export function unitsOf(turn: Turn): Unit[] {
  const whole = wholeRoom(turn)
  return whole ? [whole] : turn.room.seats.flatMap((seat) => ownUnit(seat) ?? [])
}

export function wholeRoom({ room }: Turn): Unit | undefined {
  return room.flow
    ? {
        seats: room.seats,
        flow: room.flow,
        moveTo: (flow) => {
          room.flow = flow
        },
      }
    : undefined
}

export function ownUnit(seat: Seat): Unit | undefined {
  return seat.flow && isOpen(seat)
    ? {
        seats: [seat],
        flow: seat.flow,
        moveTo: (flow) => {
          seat.flow = flow
        },
      }
    : undefined
}

/** Of whoever moves alone; null for several. */
export const onlySeat = (seats: readonly Seat[]): Seat | null =>
  seats.length === 1 ? (seats[0] ?? null) : null

/** RM221: whoever skips a block is assigned nothing in it. */
export const isPlaying = (seat: Seat): boolean => isActive(seat) && seat.skips === undefined
