import { type ExperimentDefinition, roleIdsOf, type ValidationIssue } from '@atrium/contract'
import { pacingOf } from '@atrium/flow'
import { finding, pointer } from './findings.ts'

/** F86: roles rotate only where there are several, and everyone is in the same round. */
export function checkRotation(definition: ExperimentDefinition): ValidationIssue[] {
  const { blocks = [] } = definition
  return blocks.flatMap(({ id, rotateRoles, rounds = 1 }, at) => {
    const path = pointer('blocks', at, 'rotateRoles')
    if (!rotateRoles) return []
    if (roleIdsOf(definition).length < 2)
      return [finding(path, 'needs at least two ‘roles’, which people can take in turn')]
    if (pacingOf(definition) !== 'room')
      return [
        finding(
          path,
          'needs a group that moves through the study together (‘pacing: "room"’), because everyone changes roles at once',
        ),
      ]
    return rounds < 2
      ? [
          finding(
            path,
            `roles change from one round to the next, but block ‘${id}’ has one round; set ‘rounds’`,
          ),
        ]
      : []
  })
}
