import { type ExperimentDefinition, roleIdsOf, type ValidationIssue } from '@atrium/contract'
import { blockUnitsIn, pacingOf, unitsOf } from '@atrium/flow'
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
    const around = outermostRotation(id, definition)
    if (around !== undefined)
      return [
        finding(
          path,
          `block ‘${id}’ is within ‘${around}’, in which roles rotate already; only one of the blocks around a state can rotate them`,
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

/** The outermost block that rotates roles and has this one in it. */
const outermostRotation = (id: string, definition: ExperimentDefinition): string | undefined =>
  blockUnitsIn(unitsOf(definition)).find(
    ({ block, members }) =>
      block?.rotateRoles && blockUnitsIn(members).some(({ block: inner }) => inner?.id === id),
  )?.block?.id
