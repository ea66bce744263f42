import { random } from '@atrium/flow'
import { expect, test } from 'vitest'
import type { WaitingPerson } from '../../../ports/waiting-queue.ts'
import { proposeAtCost } from './propose.ts'
import { person, settingsOf } from './test/crowd.ts'
import { allMayMeet } from './test/reference-rules.ts'

const costOf = (people: WaitingPerson[], settings: Parameters<typeof settingsOf>[0], now = 0) =>
  proposeAtCost({ people, settings: settingsOf(settings), formerPartners: [], now, isClosing: false })

/** This many people, each with these attributes. */
const many = (count: number, attributesOf: (index: number) => WaitingPerson['attributes']) =>
  Array.from({ length: count }, (_, index) => person(`p${index}`, index, { attributes: attributesOf(index) }))

/** Two attributes with a few values each: groups without repetition are hard to find or do not exist. */
function hardCrowd(count: number) {
  const next = random('hard')
  const draw = () => Math.floor(next() * 12)
  return many(count, () => ({ a: draw(), b: draw() }))
}
const hard = { exclusions: [{ same: 'a' }, { same: 'b' }] }

test('[M17] a group that lacks one person is not sought in every subset', () => {
  const pairs = many(60, (index) => ({ team: index % 30 }))
  const settings = { min: 31, max: 31, exclusions: [{ same: 'team' }] }
  const { proposal, looks } = costOf(pairs, settings)
  expect(proposal.groups).toEqual([])
  expect(looks).toBeLessThan(10_000)
  const complete = [...pairs, person('last', 60, { attributes: { team: 'new' } })]
  expect(costOf(complete, settings).proposal.groups).toHaveLength(1)
})

test('[M17] the cost of a proposal is bounded, whoever is waiting', () => {
  for (const count of [200, 1_000]) {
    const { looks } = costOf(hardCrowd(count), { min: 13, max: 13, ...hard })
    // The last search may overrun its share by one pass over everyone.
    expect(looks).toBeLessThan(50_000 + 300 * count)
  }
})

test('[M6] [M9] [M17] people not matched within the bound still get the policy, once and by the rules', () => {
  const people = hardCrowd(400)
  const settings = settingsOf({ min: 13, max: 13, deadlineMs: 1, onDeadline: 'start_short', ...hard })
  const input = { people, settings, formerPartners: [], now: 1_000, isClosing: false }
  const { groups, endings } = proposeAtCost(input).proposal
  const byId = new Map(people.map((each) => [each.participantId, each]))
  const settled = [...groups.flatMap(({ members }) => members), ...endings].map((each) => each.participantId)
  expect(settled.toSorted()).toEqual([...byId.keys()].toSorted())
  expect(groups.length).toBeGreaterThan(10)
  for (const { members } of groups)
    expect(
      allMayMeet(
        members.flatMap(({ participantId }) => byId.get(participantId) ?? []),
        input,
      ),
    ).toBe(true)
})

test('[M11] in a long queue, everyone still gets the next arrival who fits', () => {
  const next = random('long')
  const people = many(1_500, () => ({ ip: Math.floor(next() * 400) }))
  const left = [...people]
  const expected: string[] = []
  while (left.length > 0) {
    const oldest = left.shift()
    const partner = left.findIndex(({ attributes }) => attributes.ip !== oldest?.attributes.ip)
    if (partner !== -1) expected.push(`${oldest?.participantId} ${left.splice(partner, 1)[0]?.participantId}`)
  }
  const { groups } = costOf(people, { exclusions: [{ same: 'ip' }] }).proposal
  expect(groups.map(({ members }) => members.map(({ participantId }) => participantId).join(' '))).toEqual(
    expected,
  )
})
