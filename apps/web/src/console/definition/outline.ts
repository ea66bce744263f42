import {
  type Component,
  componentTypeOf,
  type ExperimentDefinition,
  endOfExperiment,
  groupSizeOf,
  isRequired,
  roleIdsOf,
  type State,
} from '@atrium/contract'
import { counted, formatNumber } from '../text/numbers.ts'
import { formatDuration } from '../text/times.ts'

export interface OutlinedState {
  id: string
  title: string
  ends: string
  leadsTo: string
  components: { id: string; title: string; note: string }[]
  path: string
}

export interface Outline {
  facts: { label: string; value: string }[]
  states: OutlinedState[]
  globals: { id: string; title: string; note: string }[]
}

/** A definition in words, for reading beside the JSON. */
export const outlineOf = (definition: ExperimentDefinition): Outline => ({
  facts: factsOf(definition),
  states: definition.states.map((state, at) => ({
    id: state.id,
    title: state.name ?? state.id,
    ends: endInWords(state),
    leadsTo: leadsTo(state, definition.states[at + 1]) + onTimeoutInWords(state),
    components: state.components.map((component) => outlined(component)),
    path: `/states/${at}`,
  })),
  globals: (definition.globalComponents ?? []).map((component) => ({
    ...outlined(component),
    note: component.states ? `in ${component.states.join(', ')}` : 'everywhere',
  })),
})

function outlined(component: Component): { id: string; title: string; note: string } {
  const notes = [
    ...(isRequired(component) ? ['required'] : []),
    ...(component.roles ? [`for ${component.roles.join(', ')}`] : []),
    ...(component.saveTo ? [`→ ${component.saveTo}`] : []),
  ]
  const { title } = componentTypeOf(component.type)
  return {
    id: component.id,
    title: title === 'Unknown type' ? component.type : title,
    note: notes.join(', '),
  }
}

function factsOf(definition: ExperimentDefinition): Outline['facts'] {
  const { min, max } = groupSizeOf(definition)
  const { conditions, capacity, matching, dropout } = definition
  const roles = roleIdsOf(definition)
  const people = min === max ? counted(min, 'person', 'people') : `${min} to ${max} people`
  return [
    { label: 'Room', value: max === 1 ? 'one person each' : people },
    ...(roles.length > 0 ? [{ label: 'Roles', value: roles.join(', ') }] : []),
    ...(conditions
      ? [{ label: 'Conditions', value: `${conditions.values.join(', ')} (${conditions.assign ?? 'random'})` }]
      : []),
    ...(definition.blocks ?? []).map((block) => ({
      label: `Block ${block.id}`,
      value: `${block.states.join(', ')}; ${counted(block.rounds ?? 1, 'round')}, ${(block.order ?? 'fixed').replace('_', ' ')} order`,
    })),
    ...(matching?.deadlineMs === undefined
      ? []
      : [
          {
            label: 'Waiting',
            value: `${formatDuration(matching.deadlineMs)} at most, then ${(matching.onDeadline ?? 'wait').replaceAll('_', ' ')}`,
          },
        ]),
    ...(dropout ? [{ label: 'Drop-out', value: dropout.policy.replaceAll('_', ' ') }] : []),
    { label: 'Places', value: capacity === undefined ? 'unlimited' : formatNumber(capacity) },
  ]
}

function endInWords({ end = { on: 'button' } }: State): string {
  const latest =
    end.afterMs === undefined || end.on === 'timed'
      ? ''
      : `, at the latest after ${formatDuration(end.afterMs)}`
  switch (end.on) {
    case 'button':
      return `by button${end.label ? ` “${end.label}”` : ''}${latest}`
    case 'timed':
      return `after ${formatDuration(end.afterMs)}`
    case 'all_responded':
      return `when all have answered${latest}`
    case 'any_responded':
      return `when one has answered${latest}`
    case 'media_ended':
      return `when ${end.componentId} has ended${latest}`
    case 'condition':
      return `when ${end.when}${latest}`
  }
}

function leadsTo({ next }: State, following: State | undefined): string {
  const otherwise = following?.id ?? 'the end'
  if (!next || next.length === 0) return otherwise
  const ways = next.map(({ to, when, outcome }) => {
    const target = targetOf(to, outcome)
    return when ? `${target} if ${when}` : target
  })
  return [...ways, ...(next.some(({ when }) => !when) ? [] : [`otherwise ${otherwise}`])].join('; ')
}

function onTimeoutInWords({ end }: State): string {
  const { to = endOfExperiment, outcome } = end?.onTimeout ?? {}
  return end?.onTimeout ? `; ${targetOf(to, outcome)} when the time is over` : ''
}

const targetOf = (to: string, outcome: string | undefined): string =>
  to === endOfExperiment ? `the end${outcome === undefined ? '' : ` with ${outcome}`}` : to
