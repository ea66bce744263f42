import type { WaitingPerson } from '../../../../ports/waiting-queue.ts'
import type { MatchingSettings } from '../../matching-settings.ts'
import type { MatchInput } from '../proposal.ts'

// The rules implemented a second time: slow, and independent of the matcher.

export const isDue = ({ arrivedAt }: WaitingPerson, { settings, now, isClosing }: MatchInput): boolean =>
  isClosing || (settings.deadlineMs !== null && arrivedAt + settings.deadlineMs <= now)

export const largestOf = ({ max, roles }: MatchingSettings): number =>
  roles.length === 0 ? max : Math.min(max, ...[roles.reduce((sum, role) => sum + role.max, 0)])

const mayMeet = (one: WaitingPerson, other: WaitingPerson, input: MatchInput): boolean =>
  input.settings.exclusions.every((rule) => {
    if (rule === 'never_again')
      return !input.formerPartners.some(
        (pair) => pair.includes(one.participantId) && pair.includes(other.participantId) && one !== other,
      )
    if ('same' in rule) return one.attributes[rule.same] !== other.attributes[rule.same]
    return one.attributes[rule.different] === other.attributes[rule.different]
  })

export const allMayMeet = (people: readonly WaitingPerson[], input: MatchInput): boolean =>
  people.every((one, index) => people.slice(index + 1).every((other) => mayMeet(one, other, input)))

export function quotasHold(given: readonly string[], { roles }: MatchingSettings): boolean {
  if (roles.length === 0) return given.every((role) => role === 'participant')
  const isKnown = given.every((role) => roles.some(({ id }) => id === role))
  return (
    isKnown &&
    roles.every(({ id, min, max }) => {
      const members = given.filter((role) => role === id).length
      return members >= min && members <= max
    })
  )
}

/** Whether some assignment of roles to these people satisfies the quotas. */
function canHaveRoles(wanted: readonly string[], settings: MatchingSettings): boolean {
  const open = wanted.indexOf('participant')
  if (open === -1 || settings.roles.length === 0) return quotasHold(wanted, settings)
  return settings.roles.some(({ id }) => canHaveRoles(wanted.with(open, id), settings))
}

/** What parts mean, by their text. */
export const partRules: Readonly<Record<string, (attributes: WaitingPerson['attributes']) => boolean>> = {
  "metadata.team == 'x'": ({ team }) => team === 'x',
  "metadata.team == 'x' || metadata.team == 'y'": ({ team }) => team === 'x' || team === 'y',
  'metadata.ip < 2': ({ ip }) => ip !== undefined && Number(ip) < 2,
  'metadata.age >= 18': ({ age }) => age !== undefined && Number(age) >= 18,
  true: () => true,
}

export const isOfPart = (when: string, { attributes }: WaitingPerson): boolean =>
  partRules[when]?.(attributes) ?? false

/** M23: whether these people can be distributed over the parts; tries every way. */
export function canBeComposed(
  [first, ...others]: readonly WaitingPerson[],
  compose: MatchingSettings['compose'],
): boolean {
  if (first === undefined || compose.length === 0) return true
  return compose.some(({ when, count }, at) => {
    const rest = count > 1 ? compose.with(at, { when, count: count - 1 }) : compose.toSpliced(at, 1)
    // With no part left, the next person has no place.
    return isOfPart(when, first) && (others.length === 0 || (rest.length > 0 && canBeComposed(others, rest)))
  })
}

/** A group that these people could start now, if there is one; tries all subsets. */
export function possibleGroup(
  people: readonly WaitingPerson[],
  input: MatchInput,
): WaitingPerson[] | undefined {
  const { settings } = input
  const largest = largestOf(settings)
  return subsets(people, largest).find((group) => {
    const [oldest] = group
    if (!oldest) return false
    const min = settings.deadlineMs === null || isDue(oldest, input) ? settings.min : largest
    return (
      group.length >= min &&
      allMayMeet(group, input) &&
      canBeComposed(group, settings.compose) &&
      canHaveRoles(
        group.map(({ role }) => role),
        settings,
      )
    )
  })
}

function subsets<T>(items: readonly T[], max: number): T[][] {
  let found: T[][] = [[]]
  for (const item of items)
    found = [...found, ...found.filter(({ length }) => length < max).map((some) => [...some, item])]
  return found
}
