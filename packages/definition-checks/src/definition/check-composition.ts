import { type ExperimentDefinition, groupSizeOf, type ValidationIssue } from '@atrium/contract'

/** M23: a group that consists of parts is as large as they are together. */
export function checkComposition(definition: ExperimentDefinition): ValidationIssue[] {
  const parts = definition.matching?.compose
  if (!parts) return []
  const { min, max } = groupSizeOf(definition)
  if (min < max)
    return [
      {
        path: '/matching/groupSize',
        message: `with ‘compose’ every group has the same size, because its parts do; write ${max} instead of ${min} to ${max}, and let smaller groups start with onDeadline: "start_short"`,
      },
    ]
  const places = parts.reduce((sum, { count }) => sum + count, 0)
  if (places === max) return []
  return [
    {
      path: '/matching/compose',
      message:
        places > max
          ? `the parts need ${places} people, but a group has ${max}`
          : `the parts have places for ${places} of the ${max} people of a group; if the others can be anybody, add {"when": "true", "count": ${max - places}}`,
    },
  ]
}
