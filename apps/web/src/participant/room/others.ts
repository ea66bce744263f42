import type { RoomSnapshot } from '@atrium/contract'

interface Absences {
  /** They may be back any moment, and the study may be waiting for them. */
  away: string[]
  /** They have been away too long for the study to wait, but can come back. */
  dropped: string[]
  /** They will not come back: they left, were removed or screened out, or have finished. */
  gone: string[]
}

/** Who of the others is not here, by alias. From the view alone, so that a reload shows the same. */
export function absencesOf({ others }: Pick<RoomSnapshot, 'others'>): Absences {
  const absences: Absences = { away: [], dropped: [], gone: [] }
  for (const { alias, status, presence } of others) {
    if (status === 'active' && presence === 'away') absences.away.push(alias)
    if (status === 'dropped') absences.dropped.push(alias)
    if (status === 'left' || status === 'removed' || status === 'finished') absences.gone.push(alias)
  }
  return absences
}

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
