import {
  type ExperimentDefinition,
  groupSizeOf,
  identifyingParameters,
  type Variable,
} from '@atrium/contract'
import type { Source, Sources } from '@atrium/expressions'

/** Reading everyone’s values for everyone grows with the square of the group. */
export const maxOthers = 50

/** What expressions of a definition can read with a dot. A variable that is called so comes first, as it always has. */
export function sourcesOf(
  definition: ExperimentDefinition,
  variables: ReadonlyMap<string, Variable>,
  participantVariables: ReadonlySet<string>,
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
          refused: `‘others’ can be used in groups of up to ${maxOthers} people; sum them up in a variable instead`,
        }),
      },
    ],
    [
      'metadata',
      { of: 'a field of the join metadata', example: 'age', isOwn: true, identifying: identifyingParameters },
    ],
  ]
  return new Map(sources.filter(([name]) => !variables.has(name)))
}

/** What everybody in a room has besides variables. */
const memberFields = ['role', 'alias']
