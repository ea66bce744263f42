import { anyRole, type ExperimentDefinition, isForRole } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import type { ExportedSession, StoredEvent } from '../exports.store.ts'
import { dataOf, markOf, originOf, placeOf, type Row, whoOf } from './row.ts'

export const skipped = 'block_skipped'

/** R61: what was not asked because a block was skipped: one row for each question, whatever the rounds and trials of the block. */
export function skippedRows(
  event: StoredEvent,
  session: ExportedSession,
  { blocks = [], states }: ExperimentDefinition,
): Row[] {
  const { block: id } = dataOf(event)
  const block = blocks.find((one) => one.id === id)
  if (originOf(event) === 'client' || !block) return []
  const role = session.role ?? anyRole
  // Where roles rotate, they would have had each of them.
  const isSeen = (part: { roles?: readonly string[] }): boolean => block.rotateRoles || isForRole(part, role)
  return block.states.flatMap((stateId) => {
    const state = states.find((one) => one.id === stateId)
    if (!state || !isSeen(state)) return []
    return state.components
      .filter((component) => isSeen(component) && componentTypeOf(component.type).responds !== 'none')
      .map((component) => ({
        ...whoOf(session),
        ...placeOf(event),
        stateId,
        componentId: component.id,
        // Nobody has been there.
        round: null,
        visit: null,
        missing: 'not_shown',
        origin: originOf(event),
        flags: '[]',
        ...markOf(session),
      }))
  })
}
