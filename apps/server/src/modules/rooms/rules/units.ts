import { type FlowState, isOpen, type Seat } from '../model/room-state.ts'
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
