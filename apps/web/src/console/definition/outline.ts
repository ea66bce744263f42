import {
  type Agent,
  type Component,
  componentTypeOf,
  type ExperimentDefinition,
  endOfExperiment,
  groupSizeOf,
  isRequired,
  roleIdsOf,
  type State,
  speaksOf,
  usesModel,
} from '@atrium/contract'
import { texts } from '../../text/console.ts'

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

/** File names of the videos that the person may see, by id; undefined while they are unknown. */
export type VideoNames = ReadonlyMap<string, string> | undefined

/** A definition in words, to be read beside the JSON. */
export const outlineOf = (definition: ExperimentDefinition, videoNames?: VideoNames): Outline => ({
  facts: factsOf(definition),
  states: definition.states.map((state, at) => ({
    id: state.id,
    title: state.name ?? state.id,
    ends: endInWords(state),
    leadsTo: leadsTo(state, definition.states[at + 1]),
    components: state.components.map((component) => outlined(component, videoNames)),
    path: `/states/${at}`,
  })),
  globals: (definition.globalComponents ?? []).map((component) => ({
    ...outlined(component),
    note: [
      component.states ? texts().outline.inStates(component.states) : texts().outline.everywhere,
      ...playedVideo(component, videoNames),
    ].join(', '),
  })),
})

/** The uploaded video that a component plays. */
const videoIdOf = (component: Component): string | undefined =>
  'videoId' in component && typeof component.videoId === 'string' ? component.videoId : undefined

/** Whether any component plays an uploaded video. */
export const usesVideos = ({ states, globalComponents = [] }: ExperimentDefinition): boolean =>
  [...states.flatMap(({ components }) => components), ...globalComponents].some(
    (component) => videoIdOf(component) !== undefined,
  )

function playedVideo(component: Component, videoNames: VideoNames): string[] {
  const videoId = videoIdOf(component)
  if (videoId === undefined || !videoNames) return []
  const { plays, playsUnknown } = texts().outline
  const name = videoNames.get(videoId)
  return [name === undefined ? playsUnknown(videoId) : plays(name)]
}

function outlined(
  component: Component,
  videoNames?: VideoNames,
): { id: string; title: string; note: string } {
  const { required, forRoles, savedTo } = texts().outline
  const notes = [
    ...playedVideo(component, videoNames),
    ...(isRequired(component) ? [required] : []),
    ...(component.roles ? [forRoles(component.roles)] : []),
    ...(component.saveTo ? [savedTo(component.saveTo)] : []),
  ]
  const { title } = componentTypeOf(component.type)
  return {
    id: component.id,
    title: title === 'Unknown type' ? component.type : title,
    note: notes.join(', '),
  }
}

function factsOf(definition: ExperimentDefinition): Outline['facts'] {
  const { outline, format } = texts()
  const { facts } = outline
  const { min, max } = groupSizeOf(definition)
  const { conditions, capacity, matching, dropout, blocks = [], agents = [] } = definition
  const roles = roleIdsOf(definition)
  const people = min === max ? outline.people(min) : outline.peopleBetween(min, max)
  const waiting = matching?.deadlineMs
  return [
    { label: facts.room, value: max === 1 ? outline.onePersonEach : people },
    ...(roles.length > 0 ? [{ label: facts.roles, value: outline.list(roles) }] : []),
    ...(conditions
      ? [
          {
            label: facts.conditions,
            value: outline.conditions(conditions.values, conditions.assign ?? 'random'),
          },
        ]
      : []),
    ...blocks.map(({ id, states, rounds = 1, order = 'fixed' }) => ({
      label: facts.block(id),
      value: outline.block(states, rounds, order),
    })),
    ...(waiting === undefined
      ? []
      : [
          {
            label: facts.waiting,
            value: outline.waitingAtMost(waiting, matching?.onDeadline ?? 'wait'),
          },
        ]),
    ...agents.map((agent) => ({ label: facts.agent(agent.id), value: agentInWords(agent) })),
    ...(agents.length > 0
      ? [{ label: facts.disclosure, value: outline.disclosure[definition.disclosure?.agents ?? 'named'] }]
      : []),
    ...(dropout ? [{ label: facts.dropout, value: outline.policy(dropout.policy) }] : []),
    { label: facts.places, value: capacity === undefined ? outline.unlimited : format.number(capacity) },
  ]
}

/** Where an agent takes part, and who speaks for it. */
function agentInWords(agent: Agent): string {
  const { agents } = texts().outline
  const { role, seats = 0, fills = false, replaces = false, mediates, credentialId } = agent
  return [
    agent.name,
    ...(seats > 0 ? [agents.seats(seats)] : []),
    ...(fills ? [agents.fills] : []),
    ...(replaces ? [agents.replaces] : []),
    ...(mediates ? [agents.mediates(mediates, speaksInWords(agent))] : []),
    ...(role === undefined ? [] : [agents.role(role)]),
    usesModel(agent) ? agents.model(credentialId ?? '') : agents.scripted,
  ].join(', ')
}

function speaksInWords(agent: Agent): string {
  const { speaks: text } = texts().outline.agents
  const speaks = speaksOf(agent)
  switch (speaks.on) {
    case 'lull':
      return text.lull(speaks.afterMs)
    case 'every':
      return text.every(speaks.messages)
    case 'keyword':
      return text.keyword(speaks.words)
    case 'demand':
      return text.demand
  }
}

function endInWords({ end = { on: 'button' } }: State): string {
  const { ends } = texts().outline
  const condition = endingCondition(end)
  return end.afterMs === undefined || end.on === 'timed'
    ? condition
    : ends.atTheLatest(condition, end.afterMs)
}

function endingCondition(end: NonNullable<State['end']>): string {
  const { ends } = texts().outline
  switch (end.on) {
    case 'button':
      return ends.button(end.label)
    case 'timed':
      return ends.timed(end.afterMs)
    case 'all_responded':
      return ends.allResponded
    case 'any_responded':
      return ends.anyResponded
    case 'media_ended':
      return ends.mediaEnded(end.componentId)
    case 'condition':
      return ends.condition(end.when)
  }
}

function leadsTo({ next = [], end }: State, following: State | undefined): string {
  const { targetIf, otherwise, onTimeout, theEnd } = texts().outline
  const ways = next.map(({ to, when, outcome }) =>
    when ? targetIf(targetOf(to, outcome), when) : targetOf(to, outcome),
  )
  const byDefault = following?.id ?? theEnd
  const isDecided = next.some(({ when }) => !when)
  return [
    ...ways,
    ...(isDecided ? [] : [ways.length > 0 ? otherwise(byDefault) : byDefault]),
    ...(end?.onTimeout
      ? [onTimeout(targetOf(end.onTimeout.to ?? endOfExperiment, end.onTimeout.outcome))]
      : []),
  ].join('; ')
}

function targetOf(to: string, outcome: string | undefined): string {
  const { theEnd, theEndWith } = texts().outline
  if (to !== endOfExperiment) return to
  return outcome === undefined ? theEnd : theEndWith(outcome)
}
