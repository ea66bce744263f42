import { limits } from '@atrium/contract'
import type { WaitingPerson } from '../../../ports/waiting-queue.ts'
import { largestGroup, type MatchingSettings } from '../matching-settings.ts'
import { assignRoles, takesAny, unmetMinima } from './assign-roles.ts'
import { createFilter, partsOf } from './attributes.ts'
import { assignParts } from './composition.ts'
import { findGroup, type Wanted } from './find-group.ts'
import { type Pool, take } from './pool.ts'
import type { Ending, MatchInput, Proposal, ProposedGroup } from './proposal.ts'
import { createQueue, type Queue } from './queue.ts'

const smallestShortGroup = 2
/** Measured cost of sorting one person into the queue. */
const looksToPrepare = 5

/**
 * Who should share a room now, and whose wait is over (SPEC.md). Whoever has waited longest is served first: a group is
 * sought around each person in turn, and people without one do not take part in the groups of later arrivals.
 */
export const propose = (input: MatchInput): Proposal => proposeAtCost(input).proposal

/** The same with its cost, in looks at a person: a caller who makes many proposals must know when to stop (M21). */
export function proposeAtCost(input: MatchInput): { proposal: Proposal; looks: number } {
  const { settings } = input
  const groups: ProposedGroup[] = []
  const endings: Ending[] = []
  const passesFilters = createFilter(settings.filters)
  const people = input.people.filter((person) => {
    const isFitting = passesFilters(person) && (settings.compose.length === 0 || partsOf(person) !== 0)
    if (!isFitting) endings.push({ participantId: person.participantId, reason: 'screened_out' })
    return isFitting
  })
  const queue = createQueue({ ...input, people })
  const counts = settings.compose.map(({ count }) => count)
  const searches = { early: searchesFor(settings, false), due: searchesFor(settings, true) }

  for (const [index, person] of people.entries()) {
    const seeker = queue.seekers[index]
    if (!seeker || queue.isGone[index]) continue
    const considered = seeker.pool.free
    take(seeker.pool, seeker.kind)
    queue.isGone[index] = true
    const isDue = isDeadlineReached(person.arrivedAt, input)
    const found = firstFound(isDue ? searches.due : searches.early, (wanted) =>
      findGroup(queue, seeker, index, wanted, settings),
    )
    if (found) {
      for (const member of found.indexes) queue.isGone[member] = true
      const members = found.indexes.flatMap((member) => people[member] ?? [])
      groups.push({
        ...seatGroup(members, found.wanted, settings),
        match: {
          search: found.wanted.name,
          waiting: people.length,
          considered,
          passedOver: passedOver(queue, seeker.pool, found.indexes),
          waitedMs: members.map(({ arrivedAt }) => Math.max(0, input.now - arrivedAt)),
          parts: settings.compose.length === 0 ? null : assignParts(members.map(partsOf), counts),
        },
      })
      continue
    }
    seeker.pool.unmatched += 1
    if (isDue) {
      const reason = endingReason(input)
      if (reason) endings.push({ participantId: person.participantId, reason })
    }
  }
  const searching = queue.pools.reduce((sum, { allowance, looks }) => sum + allowance - looks, 0)
  return { proposal: { groups, endings }, looks: searching + input.people.length * looksToPrepare }
}

function firstFound(searches: readonly Wanted[], search: (wanted: Wanted) => number[] | null) {
  for (const wanted of searches) {
    const indexes = search(wanted)
    if (indexes) return { wanted, indexes }
  }
  return undefined
}

/** How many of a pool arrived before the last of these members and stay without a group. */
function passedOver({ isGone, seekers }: Queue, pool: Pool, members: readonly number[]): number {
  const [first = 0] = members
  const last = members.at(-1) ?? first
  let count = pool.unmatched
  for (let at = first + 1; at < last; at += 1) if (!isGone[at] && seekers[at]?.pool === pool) count += 1
  return count
}

/** Assigns roles, and adds the agents that are needed. */
function seatGroup(
  members: readonly WaitingPerson[],
  { agentsMayFill }: Wanted,
  { min, roles: quotas }: MatchingSettings,
): Omit<ProposedGroup, 'match'> {
  const wanted = members.map(({ role }) => role)
  const asked = agentsMayFill ? Math.max(0, min - members.length, unmetMinima(wanted, quotas)) : 0
  const agents = Math.min(asked, limits.definition.groupSize - members.length)
  const roles = assignRoles([...wanted, ...new Array<string>(agents).fill(takesAny)], quotas)
  return {
    members: members.map(({ participantId }, seat) => ({ participantId, role: roles[seat] ?? takesAny })),
    agents: roles.slice(members.length).map((role) => ({ role })),
  }
}

function isDeadlineReached(arrivedAt: number, { settings, now, isClosing }: MatchInput): boolean {
  return isClosing || (settings.deadlineMs !== null && arrivedAt + settings.deadlineMs <= now)
}

/** The groups that a person may be in by now, best first. */
function searchesFor(settings: MatchingSettings, isDue: boolean): Wanted[] {
  const max = largestGroup(settings)
  const min = settings.deadlineMs === null || isDue ? settings.min : max
  const searches: Wanted[] = [{ name: 'full', min, max, agentsMayFill: false }]
  if (isDue && settings.onDeadline === 'start_short')
    searches.push({ name: 'short', min: smallestShortGroup, max, agentsMayFill: false })
  if (isDue && settings.onDeadline === 'fill_with_agent')
    searches.push({ name: 'with_agents', min: 1, max, agentsMayFill: true })
  return searches
}

/** `null` for participants who keep waiting. */
function endingReason({ settings, isClosing }: MatchInput): Ending['reason'] | null {
  if (settings.onDeadline !== 'wait') return 'deadline'
  return isClosing ? 'closed' : null
}
