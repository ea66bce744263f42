import type { CrowdView, RoomSnapshot } from '@atrium/contract'

interface Absences {
  /** They may be back any moment, and the study may be waiting for them. */
  away: string[]
  /** They have been away too long for the study to wait, but can come back. */
  dropped: string[]
  /** They will not come back: they left, were removed or screened out, or have finished. */
  gone: string[]
}

/** How many are not here, where they are not listed. */
export const absencesInCrowd = ({ crowd }: Pick<RoomSnapshot, 'crowd'>) =>
  crowd && { absent: crowd.away + crowd.dropped, of: crowd.members + crowd.dropped }

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
  crowd,
}: Pick<RoomSnapshot, 'self' | 'others' | 'crowd'>): { ready: number; of: number } | undefined {
  if (crowd) return readinessIn(crowd, self.ready)
  if (others.some(({ role }) => role !== self.role)) return undefined
  const awaited = others.filter(({ status }) => status === 'active' || status === 'agent')
  const ready = awaited.filter((other) => other.ready).length
  return { ready: ready + (self.ready ? 1 : 0), of: awaited.length + 1 }
}

/** The figures may be a second old; that this participant is ready is known at once. */
const readinessIn = (crowd: CrowdView, isReady: boolean): { ready: number; of: number } | undefined =>
  Object.keys(crowd.roles).length > 1
    ? undefined
    : { ready: Math.max(crowd.ready, isReady ? 1 : 0), of: crowd.members }
