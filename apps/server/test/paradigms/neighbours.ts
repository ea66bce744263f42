import type { PlayedStudy } from './recomputation.ts'

/** [RM252] Whom everyone in a room was joined with, by participant, from the table of edges alone. */
export function neighboursFrom(edges: PlayedStudy['edges']): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const add = (one: string, other: string) => found.set(one, [...(found.get(one) ?? []), other])
  for (const { participantId, neighbourId, untilTime } of edges) {
    if (neighbourId === null || untilTime !== null)
      throw new Error('an edge of a room that nobody left has ended')
    add(participantId, neighbourId)
    add(neighbourId, participantId)
  }
  return found
}
