import { completionFor, type ExperimentDefinition } from '@atrium/contract'
import type { Emitted } from '../model/room-audience.ts'
import type { RoomState } from '../model/room-state.ts'

/**
 * RM38: a removed participant loses their session (R15) and could not ask for the code, so what tells them that they have
 * finished has it. The room does not know with which link they came, which the code depends on (RC1).
 */
export function withCodesOfRemoved(
  emitted: readonly Emitted[],
  { seats }: RoomState,
  definition: ExperimentDefinition,
  metadataOf: (participantId: string) => Record<string, unknown> | undefined,
): readonly Emitted[] {
  if (!emitted.some(({ event }) => event.type === 'finished')) return emitted
  return emitted.map((one) => {
    const { audience, event } = one
    if (event.type !== 'finished' || audience.kind === 'room') return one
    const [participantId = ''] = audience.participantIds
    const isRemoved = seats.some((seat) => seat.participantId === participantId && seat.status === 'removed')
    const metadata = isRemoved ? metadataOf(participantId) : undefined
    if (!metadata) return one
    const { completionCode } = completionFor(definition, {
      outcome: event.outcome,
      participantId,
      metadata,
    })
    return { audience, event: { ...event, completionCode } }
  })
}
