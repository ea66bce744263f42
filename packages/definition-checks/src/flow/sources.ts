import {
  type ExperimentDefinition,
  groupSizeOf,
  identifyingParameters,
  type Variable,
} from '@atrium/contract'
import type { Source, Sources } from '@atrium/expressions'
import { hasOwnConditions } from '@atrium/flow'
import { eachSource, maxOthers, receivedSource } from './for-each.ts'

/** What expressions of a definition can read with a dot. A variable that is called so comes first, as it always has. */
export function sourcesOf(
  definition: ExperimentDefinition,
  variables: ReadonlyMap<string, Variable>,
  participantVariables: ReadonlySet<string>,
  trial: Source,
): Sources {
  const ofMembers = new Set([...participantVariables, ...memberFields])
  const [given = 'role'] = participantVariables
  const of = 'a participant variable'
  const sources: [string, Source][] = [
    ['self', { fields: ofMembers, of, example: given, isOwn: true }],
    [
      'others',
      {
        fields: ofMembers,
        of,
        example: given,
        isOwn: true,
        ...(groupSizeOf(definition).max > maxOthers && {
          refused: `in groups of more than ${maxOthers} people, ‘others’ can be read in texts only; sum them up in a room variable instead`,
        }),
      },
    ],
    [
      'neighbours',
      {
        ...{ fields: ofMembers, of, example: given, isOwn: true },
        ...(!definition.network && {
          refused: 'there are neighbours only in a network; add ‘network’ to the definition',
        }),
      },
    ],
    ...conditionSource(definition),
    ['each', eachSource(ofMembers, given === 'role' ? 'alias' : given)],
    ['received', receivedSource(definition.states.flatMap(({ components }) => components))],
    ['trial', trial],
    [
      'metadata',
      { of: 'a field of the join metadata', example: 'age', isOwn: true, identifying: identifyingParameters },
    ],
    ['payment', { ...paymentSource(definition), refused: onlyInTexts }],
  ]
  return new Map(sources.filter(([name]) => !variables.has(name)))
}

/** F63: what is paid follows from variables, so that none of them may follow from it. */
const onlyInTexts = 'what somebody has earned can be shown in texts, but nothing can depend on it'

/** The same for texts, which can tell participants what they have earned. */
export const sourcesInTexts = (definition: ExperimentDefinition, sources: Sources): Sources =>
  new Map([
    ...sources,
    ...(sources.has('payment') ? [['payment', paymentSource(definition)] as const] : []),
    ...largeGroupInTexts(sources.get('others')),
  ])

/** R73: everybody’s list of everybody grows with the square of the group; a figure does not. */
function largeGroupInTexts(others: Source | undefined): [string, Source][] {
  if (!others?.refused) return []
  const { refused: _, ...rest } = others
  const onlyInFigures = `texts list the others in groups of up to ${maxOthers} people; in larger ones they show figures, as in mean(others.${others.example}) or count(others.${others.example}, 1)`
  return [['others', { ...rest, onlyInFigures }]]
}

function paymentSource({ completion }: ExperimentDefinition): Source {
  const { payment } = completion ?? {}
  return {
    fields: new Set(['amount', 'base', 'bonus', ...(payment?.pick ? ['rounds'] : [])]),
    of: payment?.pick ? 'part of a payment' : 'part of a payment that draws no rounds',
    example: 'amount',
    isOwn: true,
    ...(!payment && { refused: 'the study declares no payment; add ‘payment’ to ‘completion’' }),
  }
}

/** F65: `condition.frame`. It is one participant’s where people in a group have conditions of their own. */
function conditionSource(definition: ExperimentDefinition): [string, Source][] {
  const fields = new Set(Object.keys(definition.conditions?.factors ?? {}))
  const [example] = fields
  if (example === undefined) return []
  const isOwn = hasOwnConditions(definition)
  return [['condition', { fields, of: 'a factor', example, ...(isOwn && { isOwn }) }]]
}

/** Those that read variables of somebody in the room. */
export const sourcesOfMembers: readonly string[] = ['self', 'others', 'neighbours', 'each']

/** What everybody in a room has besides variables. */
const memberFields = ['role', 'alias']
