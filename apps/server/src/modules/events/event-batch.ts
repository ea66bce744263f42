import {
  type EventFlag,
  issuesOf,
  type ParticipantEvent,
  type ValidationIssue,
  validatorForEvent,
} from '@atrium/contract'
import { isImplausibleTime } from './client-clock.plan.ts'
import { collectedData } from './collected.ts'
import type { EventToStore } from './events.store.ts'
import type { KnownPlaces } from './known-places.ts'

/**
 * What is wrong with the events of a request; empty if they can be stored. The request's parser has already checked
 * their depth and numbers.
 */
export function eventIssues(events: readonly unknown[]): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  for (const [index, event] of events.entries()) {
    const validator = validatorForEvent(event)
    if (!validator.Check(event)) issues.push(...issuesOf(validator, event, `/events/${index}`))
  }
  return issues
}

const documented = new Set([
  'type',
  'stateId',
  'componentId',
  'timestamp',
  'eventId',
  'data',
  'experimentId',
  'roomId',
])

/** R19: flagged, never dropped; undocumented fields are kept as they came. `maxMs` is as long as anything can have taken. */
export function toStore(
  event: ParticipantEvent,
  known: KnownPlaces,
  { role, maxMs }: { role: string; maxMs: number },
): EventToStore {
  return {
    eventId: event.eventId ?? null,
    type: event.type,
    stateId: event.stateId ?? null,
    componentId: event.componentId ?? null,
    timestamp: event.timestamp,
    data: JSON.stringify(collectedData(event, known.paradata)),
    flags: flagsOf(event, known, role, maxMs).join(' '),
    extra: extraOf(event),
  }
}

function extraOf(event: ParticipantEvent): string | null {
  const isExtra = (name: string): boolean => !documented.has(name) && !isMeasured(event.type, name)
  // Most events have none; then nothing is copied.
  if (!Object.keys(event).some(isExtra)) return null
  return JSON.stringify(Object.fromEntries(Object.entries(event).filter(([name]) => isExtra(name))))
}

/** E42: what was measured and stands beside the data, where nobody would look for it, is not kept either. */
const isMeasured = (type: string, name: string): boolean =>
  type === 'device_report' || (type === 'component_response' && name === 'paradata')

function flagsOf(event: ParticipantEvent, known: KnownPlaces, role: string, maxMs: number): EventFlag[] {
  const { fromState, toState } = event.type === 'state_transition' ? (event.data ?? {}) : {}
  const states = [event.stateId, fromState, toState]
  const flags: EventFlag[] = []
  if (states.some((id) => typeof id === 'string' && !known.states.has(id))) flags.push('unknown_state')
  if (event.componentId !== undefined && !known.components.has(event.componentId))
    flags.push('unknown_component')
  if (event.type !== 'component_response') return flags
  if (!known.components.takes(event, role)) flags.push('invalid_value')
  if (isImplausibleTime(event.data ?? {}, maxMs)) flags.push('implausible_time')
  return flags
}
