import {
  type EventFlag,
  type ExperimentDefinition,
  limits,
  type ParticipantEvent,
  type ValidationIssue,
  validatorForEvent,
} from '@atrium/contract'
import { findUnstorable, issuesOf } from '../../kernel/validate.ts'
import type { EventToStore } from './events.store.ts'

/** What is wrong with the events of a request; empty when they may be stored. */
export function eventIssues(events: readonly unknown[]): ValidationIssue[] {
  return events.flatMap((event, index) => {
    const at = `/events/${index}`
    const validator = validatorForEvent(event)
    if (!validator.Check(event)) return issuesOf(validator, event, at)
    const unstorable = findUnstorable(event, limits.jsonDepth, at)
    return unstorable ? [unstorable] : []
  })
}

export interface KnownPlaces {
  states: ReadonlySet<string>
  components: ReadonlySet<string>
}

export const placesOf = (definition: ExperimentDefinition): KnownPlaces => ({
  states: new Set(definition.states.map((state) => state.id)),
  components: new Set(
    [...definition.states.flatMap((state) => state.components), ...(definition.globalComponents ?? [])].map(
      (component) => component.id,
    ),
  ),
})

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

/** R19: flagged, never dropped; fields beyond the documented ones are kept as they came. */
export function toStore(event: ParticipantEvent, known: KnownPlaces): EventToStore {
  const extra = Object.entries(event).filter(([name]) => !documented.has(name))
  return {
    eventId: event.eventId ?? null,
    type: event.type,
    stateId: event.stateId ?? null,
    componentId: event.componentId ?? null,
    timestamp: event.timestamp,
    data: JSON.stringify(event.data ?? {}),
    flags: flagsOf(event, known).join(' '),
    extra: extra.length === 0 ? null : JSON.stringify(Object.fromEntries(extra)),
  }
}

function flagsOf(event: ParticipantEvent, known: KnownPlaces): EventFlag[] {
  const entered = event.type === 'state_transition' ? event.data?.toState : undefined
  const states = [event.stateId, typeof entered === 'string' ? entered : undefined]
  const flags: EventFlag[] = []
  if (states.some((id) => id !== undefined && !known.states.has(id))) flags.push('unknown_state')
  if (event.componentId !== undefined && !known.components.has(event.componentId))
    flags.push('unknown_component')
  return flags
}
