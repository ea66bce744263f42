import type { ShownPayment } from '@atrium/contract'
import type { SessionDeps } from './session-deps.ts'
import type { Completion, SessionRecord } from './sessions.store.ts'

type Deps = Pick<SessionDeps, 'store' | 'experiments' | 'paidInRoom' | 'onBackgroundError'>
type Paid = Pick<SessionRecord, 'experimentId' | 'revision' | 'roomId' | 'participantId'>

/** RM204: what the last page tells somebody that they have earned. Undefined unless the study says so, and where nobody knows. */
export async function shownPayment(
  { store, experiments, paidInRoom, onBackgroundError }: Deps,
  { experimentId, revision, roomId, participantId }: Paid,
  { outcome }: Pick<Completion, 'outcome'>,
): Promise<ShownPayment | undefined> {
  const { completion } = await experiments.definition(experimentId, revision)
  if (completion?.payment?.showAmount !== true) return undefined
  try {
    // R68: whoever waited in vain for the room of a later stage has earned what they had in the last one.
    const last = roomId ?? (await store.lastRoomOf(participantId))
    return last === undefined ? undefined : await paidInRoom({ roomId: last, participantId, outcome })
  } catch (error) {
    // They have completed, and their code must not wait for a room that cannot be read.
    onBackgroundError(error)
    return undefined
  }
}
