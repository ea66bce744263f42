import type { SeatStatus } from '@atrium/contract'
import type { Blueprint } from './blueprint.ts'
import type { Seat } from './room-state.ts'

/** R43: only agents replace anybody, so where they are hidden, whoever was replaced has left, and so has a seat that nobody fills. */
export const shownStatus = (
  { definition }: Pick<Blueprint, 'definition'>,
  { status }: Pick<Seat, 'status'>,
): SeatStatus =>
  (status === 'replaced' || status === 'agent') && definition.disclosure?.agents === 'hidden'
    ? 'left'
    : status
