import fc from 'fast-check'
import type { WaitingPerson } from '../../../../ports/waiting-queue.ts'
import type { MatchingSettings, RoleQuota } from '../../matching-settings.ts'
import { attributesFor } from '../attributes.ts'
import type { MatchInput, Proposal } from '../proposal.ts'
import { propose } from '../propose.ts'
import { quota, settingsOf } from './crowd.ts'
import { partRules } from './reference-rules.ts'

const attributes: fc.Arbitrary<WaitingPerson['attributes']> = fc.record(
  { team: fc.constantFrom('x', 'y', 'z'), age: fc.integer({ min: 16, max: 20 }), ip: fc.nat(4) },
  { requiredKeys: [] },
)
const roles = fc.constantFrom<RoleQuota[][]>(
  [],
  [quota('buyer', 1, 1), quota('seller', 1)],
  [quota('leader', 0, 1), quota('member')],
  [quota('guest'), quota('host', 2)],
  [quota('a', 1, 2), quota('b', 0, 2), quota('c')],
)
const exclusions = fc.subarray([
  'never_again' as const,
  { same: 'team' },
  { same: 'ip' },
  { different: 'age' },
])
const sizes = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 2 }))
  .map(([min, more]) => ({ min, max: min + more }))

const parts = fc.array(
  fc.record({ when: fc.constantFrom(...Object.keys(partRules)), count: fc.integer({ min: 1, max: 2 }) }),
  { minLength: 1, maxLength: 3 },
)

/** Settings that could be saved. */
export const anySettings: fc.Arbitrary<MatchingSettings> = fc
  .record({
    size: sizes,
    deadlineMs: fc.option(fc.integer({ min: 1, max: 200 })),
    onDeadline: fc.constantFrom(
      'wait' as const,
      'start_short' as const,
      'fill_with_agent' as const,
      'end_paid' as const,
    ),
    roles,
    exclusions,
    balance: fc.subarray(['team', 'ip']),
    filters: fc.constantFrom<MatchingSettings['filters'][]>([], [{ attribute: 'age', min: 17 }]),
    compose: fc.oneof(fc.constant<MatchingSettings['compose']>([]), parts),
  })
  .map(({ size, compose, ...more }) => settingsOf({ ...(sizeOf(compose) ?? size), compose, ...more }))
  .filter(
    ({ min, max, roles }) =>
      roles.reduce((sum, role) => sum + role.min, 0) <= max &&
      (roles.length === 0 || roles.reduce((sum, role) => sum + role.max, 0) >= min),
  )

function sizeOf(compose: MatchingSettings['compose']) {
  const people = compose.reduce((sum, { count }) => sum + count, 0)
  return people === 0 ? undefined : { min: people, max: people }
}

/** An arrival or a departure; `leaves` is a position in the queue. */
interface TimelineEntry {
  afterMs: number
  change: { role: number; attributes: WaitingPerson['attributes'] } | { leaves: number }
}
const entry: fc.Arbitrary<TimelineEntry> = fc.record({
  afterMs: fc.integer({ min: 0, max: 60 }),
  change: fc.oneof(
    { weight: 4, arbitrary: fc.record({ role: fc.nat(3), attributes }) },
    { weight: 1, arbitrary: fc.record({ leaves: fc.nat(5) }) },
  ),
})
export const anyTimeline = fc.array(entry, { maxLength: 25 })
export const anyMeetings = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { maxLength: 20 })

export interface Moment {
  input: MatchInput
  proposal: Proposal
  stillWaiting: WaitingPerson[]
}

/** Plays a timeline like the waiting room: a proposal after each entry and at every deadline. */
export function play(
  settings: MatchingSettings,
  timeline: TimelineEntry[],
  meetings: readonly (readonly [number, number])[] = [],
): Moment[] {
  const moments: Moment[] = []
  const formerPartners = meetings.map(([one, other]) => [`p${one}`, `p${other}`] as const)
  let waiting: WaitingPerson[] = []
  let arrivals = 0
  let now = 0

  function match(isClosing = false): void {
    const input = { people: waiting, settings, formerPartners, now, isClosing }
    const proposal = propose(input)
    const gone = new Set([
      ...proposal.endings.map(({ participantId }) => participantId),
      ...proposal.groups.flatMap(({ members }) => members.map(({ participantId }) => participantId)),
    ])
    waiting = waiting.filter(({ participantId }) => !gone.has(participantId))
    moments.push({ input, proposal, stillWaiting: waiting })
  }
  function passUntil(then: number): void {
    const deadlines = waiting.map(({ arrivedAt }) => arrivedAt + (settings.deadlineMs ?? Infinity))
    for (const at of deadlines.filter((at) => at > now && at <= then)) {
      now = at
      match()
    }
    now = then
  }

  for (const { afterMs, change } of timeline) {
    passUntil(now + afterMs)
    if ('leaves' in change) waiting = waiting.toSpliced(change.leaves, 1)
    else {
      const asked = settings.roles[change.role]?.id ?? 'participant'
      waiting = [
        ...waiting,
        {
          participantId: `p${arrivals}`,
          arrivedAt: now,
          revision: 1,
          role: asked,
          attributes: { ...change.attributes, ...attributesFor(settings, change.attributes) },
        },
      ]
      arrivals += 1
    }
    match()
  }
  passUntil(now + 1_000)
  match(true)
  return moments
}
