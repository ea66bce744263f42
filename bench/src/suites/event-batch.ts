import { numberedEvent } from '@atrium/testkit'

/** A body of `POST …/events`: mostly answers, and in larger batches a change of state and an own event. */
export function eventBatch(size: number): string {
  const events: object[] = Array.from({ length: size }, (_, index) => numberedEvent(index))
  if (size >= 10) {
    events[0] = { ...numberedEvent(0), type: 'state_transition', data: { fromState: 's1', toState: 's2' } }
    events[1] = { ...numberedEvent(1), type: 'pointer.moved', data: { x: 314.5, y: 271.8, target: 'slider' } }
  }
  return JSON.stringify({ events })
}
