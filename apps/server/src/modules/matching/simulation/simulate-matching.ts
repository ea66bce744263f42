import { assertNever, type DryRun, type DryRunArrivals } from '@atrium/contract'
import type { WaitingPerson } from '../../../ports/waiting-queue.ts'
import type { MatchingSettings } from '../matching-settings.ts'
import type { Proposal, ProposedGroup } from '../proposal/proposal.ts'
import { proposeAtCost } from '../proposal/propose.ts'
import { type Arrival, drawArrivals } from './draw-arrivals.ts'
import { createShortage } from './part-shortage.ts'

export interface MatchingSimulation {
  settings: MatchingSettings
  arrivals: DryRunArrivals
  seed: string
  /** What all proposals may cost together (M21). */
  maxLooks?: number
}

/**
 * Measured: 2,000 people take 15 to 60 ms. A queue that only grows gets here after about 2,400 people and 1 s, or sooner
 * with people who are as hard to match as possible.
 */
const usualMaxLooks = 15_000_000

interface Moment {
  at: number
  kind: 'leaves' | 'arrives' | 'deadline'
  person: Arrival
}

/** What has become of the people so far. */
interface Outcome {
  waiting: Map<string, WaitingPerson>
  arrived: number
  left: number
  screenedOut: number
  endedByDeadline: number
  groups: ProposedGroup[]
  waitsMs: number[]
  shortage: ReturnType<typeof createShortage>
}

/** M20: how matching would go with these people. */
export function simulateMatching(simulation: MatchingSimulation): DryRun {
  const { settings, arrivals, seed, maxLooks = usualMaxLooks } = simulation
  const people = drawArrivals(arrivals, seed, settings)
  const { looks, ...played } = playArrivals(people, settings, maxLooks)
  if (settings.compose.length === 0) return { seed, ...played, firstCome: null }
  const plain = { ...settings, roles: [], compose: [], exclusions: [], balance: [] }
  const { people: counted, waitMs } = playArrivals(people, plain, maxLooks - looks)
  return { seed, ...played, firstCome: { matched: counted.matched, waitMs } }
}

function playArrivals(people: readonly Arrival[], settings: MatchingSettings, maxLooks: number) {
  const moments = momentsOf(people, settings.deadlineMs)
  const outcome = emptyOutcome(settings)
  let looks = 0
  let now = 0
  let next = 0
  while (next < moments.length && looks <= maxLooks) {
    now = moments[next]?.at ?? now
    outcome.shortage.pass(now)
    let isMatchingDue = false
    for (let moment = moments[next]; moment?.at === now; moment = moments[next]) {
      next += 1
      if (applyMoment(moment, outcome)) isMatchingDue = true
    }
    if (!isMatchingDue) continue
    const waiting = [...outcome.waiting.values()]
    const proposed = proposeAtCost({ people: waiting, settings, formerPartners: [], now, isClosing: false })
    looks += proposed.looks
    applyProposal(proposed.proposal, outcome, now)
  }
  return { looks, durationMs: now, stoppedEarly: next < moments.length, ...reportOf(outcome, settings) }
}

/** Arrivals come first within a moment; whoever leaves is gone before anyone is matched. */
function momentsOf(people: readonly Arrival[], deadlineMs: number | null): Moment[] {
  const moments = people.flatMap((person): Moment[] => {
    const { arrivedAt, leavesAt } = person
    const own: Moment[] = [{ at: arrivedAt, kind: 'arrives', person }]
    if (leavesAt < Infinity) own.push({ at: leavesAt, kind: 'leaves', person })
    if (deadlineMs !== null) own.push({ at: arrivedAt + deadlineMs, kind: 'deadline', person })
    return own
  })
  const rank = { arrives: 0, leaves: 1, deadline: 2 }
  return moments.sort((one, other) => one.at - other.at || rank[one.kind] - rank[other.kind])
}

/** Applies the moment; returns whether there is a reason to match now. */
function applyMoment({ kind, person }: Moment, outcome: Outcome): boolean {
  switch (kind) {
    case 'arrives':
      outcome.arrived += 1
      outcome.waiting.set(person.participantId, person)
      outcome.shortage.arrived(person)
      return true
    case 'leaves':
      if (takeOut(outcome, person.participantId)) outcome.left += 1
      return false
    case 'deadline':
      return outcome.waiting.has(person.participantId)
    default:
      return assertNever(kind)
  }
}

function takeOut({ waiting, shortage }: Outcome, participantId: string): WaitingPerson | undefined {
  const person = waiting.get(participantId)
  if (!person) return undefined
  waiting.delete(participantId)
  shortage.gone(person)
  return person
}

const emptyOutcome = ({ compose }: MatchingSettings): Outcome => ({
  waiting: new Map(),
  arrived: 0,
  left: 0,
  screenedOut: 0,
  endedByDeadline: 0,
  groups: [],
  waitsMs: [],
  shortage: createShortage(compose),
})

function applyProposal({ groups, endings }: Proposal, outcome: Outcome, now: number): void {
  for (const group of groups) {
    outcome.groups.push(group)
    for (const { participantId } of group.members) {
      outcome.waitsMs.push(now - (takeOut(outcome, participantId)?.arrivedAt ?? now))
    }
  }
  for (const { participantId, reason } of endings) {
    takeOut(outcome, participantId)
    if (reason === 'screened_out') outcome.screenedOut += 1
    else outcome.endedByDeadline += 1
  }
}

function reportOf(outcome: Outcome, { min }: MatchingSettings) {
  const { waiting, arrived, left, screenedOut, endedByDeadline, groups, waitsMs, shortage } = outcome
  const withAgents = groups.filter(({ agents }) => agents.length > 0).length
  const short = groups.filter(({ agents, members }) => agents.length === 0 && members.length < min).length
  const sizes = Map.groupBy(groups, ({ members }) => members.length)
  return {
    people: {
      arrived,
      matched: waitsMs.length,
      endedByDeadline,
      screenedOut,
      left,
      stillWaiting: waiting.size,
    },
    groups: { total: groups.length, full: groups.length - short - withAgents, short, withAgents },
    groupSizes: [...sizes]
      .map(([people, alike]) => ({ people, groups: alike.length }))
      .sort((one, other) => one.people - other.people),
    ...summariseWaits(waitsMs),
    parts: shortage.report(),
  }
}

const bins = 20

/** Nearest rank: each quantile is a time that somebody actually waited. */
export function summariseWaits(waitsMs: readonly number[]): Pick<DryRun, 'waitMs' | 'histogram'> {
  const sorted = waitsMs.toSorted((a, b) => a - b)
  const max = sorted.at(-1)
  if (max === undefined) return { waitMs: null, histogram: [] }
  const quantile = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? max
  const mean = Math.round(sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length)
  return {
    waitMs: { p50: quantile(0.5), p90: quantile(0.9), p99: quantile(0.99), max, mean },
    histogram: histogramOf(sorted, max),
  }
}

/** Bins of equal width from 0 to the longest wait, which is in the last one. */
function histogramOf(waitsMs: readonly number[], max: number): DryRun['histogram'] {
  const widthMs = Math.max(1, Math.ceil((max + 1) / bins))
  const histogram = Array.from({ length: Math.ceil((max + 1) / widthMs) }, (_, index) => ({
    fromMs: index * widthMs,
    toMs: (index + 1) * widthMs,
    people: 0,
  }))
  for (const ms of waitsMs) {
    const bin = histogram[Math.floor(ms / widthMs)]
    if (bin) bin.people += 1
  }
  return histogram
}
