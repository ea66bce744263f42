import type { Static } from 'typebox'
import { type Block, isForRole } from './state.ts'

interface ForRoles {
  roles?: readonly string[]
}

/**
 * F85: whether somebody who was matched with this role may see a component at some time. Where roles rotate, everyone may come to have
 * any of them.
 */
export function mayBeSeenBy(role: string | null, blocks: readonly Static<typeof Block>[] = []) {
  const rotating = new Set(
    role === null ? [] : blocks.flatMap(({ rotateRoles, states }) => (rotateRoles ? states : [])),
  )
  return {
    inState: (state: ForRoles & { id: string }, component: ForRoles): boolean =>
      rotating.has(state.id) || (isForRole(state, role) && isForRole(component, role)),
    inAllStates: (component: ForRoles): boolean => rotating.size > 0 || isForRole(component, role),
  }
}
