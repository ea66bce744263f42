import {
  type ExperimentConfig,
  type ExperimentDefinition,
  type ParticipantEvent,
  publicComponent,
  type State,
} from '@atrium/contract'
import type { Events } from '../events/index.ts'
import type { Experiments } from '../experiments/index.ts'
import type { SessionRecord, Sessions } from '../sessions/index.ts'

export interface ParticipantParts {
  experiments: Experiments
  sessions: Sessions
  events: Events
}

/** What a participant is told of the definition: no answer keys, and not where the experiment goes from where. */
export const experimentConfigOf = ({
  name,
  states,
  globalComponents,
  consent,
}: ExperimentDefinition): ExperimentConfig => ({
  name,
  states: states.map(({ next: _next, onEnter: _onEnter, onEnd: _onEnd, end, ...state }) => ({
    ...state,
    ...(end && { end: publicEnd(end) }),
    components: state.components.map(publicComponent),
  })),
  globalComponents: (globalComponents ?? []).map(publicComponent),
  ...(consent && { consent }),
})

function publicEnd(end: NonNullable<State['end']>): NonNullable<State['end']> {
  const { onTimeout: _onTimeout, ...told } = end
  return told
}

export async function recordEvents(
  { events, sessions }: ParticipantParts,
  session: SessionRecord,
  batch: ParticipantEvent[],
  idempotencyKey: string | null,
): Promise<{ recorded: number; serverTimestamp: string }> {
  const outcome = await events.record(session, batch, idempotencyKey)
  if (outcome === 'sealed') return await sessions.explainEnd(session.sessionId)
  return { recorded: outcome.recorded, serverTimestamp: new Date(outcome.receivedAt).toISOString() }
}

export async function recruitingSummaries({ experiments }: ParticipantParts) {
  const recruiting = await experiments.recruiting()
  return recruiting.map(({ experimentId, name, status, availableSlots }) => ({
    experimentId,
    name,
    status,
    availableSlots,
  }))
}
