import type { RoomSnapshot } from '@atrium/contract'

/**
 * How many of the group are ready to go on, this participant included. Undefined in a group of several roles: the state may
 * not be for all of them, and then not everyone is awaited.
 */
export function readinessOf({
  self,
  others,
}: Pick<RoomSnapshot, 'self' | 'others'>): { ready: number; of: number } | undefined {
  if (others.some(({ role }) => role !== self.role)) return undefined
  const awaited = others.filter(({ status }) => status === 'active' || status === 'agent')
  const ready = awaited.filter((other) => other.ready).length
  return { ready: ready + (self.ready ? 1 : 0), of: awaited.length + 1 }
}
