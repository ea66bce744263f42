import {
  anyRole,
  type ExperimentDefinition,
  isForRole,
  statesInBlock,
  statesWithRotation,
} from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import type { ExportedSession, StoredEvent } from '../exports.store.ts'
import { dataOf, markOf, originOf, placeOf, type Row, whoOf } from './row.ts'

export const skipped = 'block_skipped'

/** R61: what was not asked because a block was skipped: one row for each question, whatever the rounds and trials of the block. */
export function skippedRows(
  event: StoredEvent,
  session: ExportedSession,
  definition: ExperimentDefinition,
): Row[] {
  const { blocks = [], states } = definition
  const { block: id } = dataOf(event)
  const block = blocks.find((one) => one.id === id)
  if (originOf(event) === 'client' || !block) return []
  const role = session.role ?? anyRole
  // Where roles rotate, they would have had each of them.
  const rotating = statesWithRotation(definition)
  const byId = new Map(states.map((state) => [state.id, state]))
  return statesInBlock(block, blocks, (one) => byId.has(one)).flatMap((stateId) => {
    const state = byId.get(stateId)
    const isSeen = (part: { roles?: readonly string[] }): boolean =>
      rotating.has(stateId) || isForRole(part, role)
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
