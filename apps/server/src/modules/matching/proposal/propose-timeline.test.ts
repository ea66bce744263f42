import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ProposedGroup } from './proposal.ts'
import { propose } from './propose.ts'
import { settingsOf } from './test/crowd.ts'
import {
  allMayMeet,
  canBeComposed,
  isDue,
  isOfPart,
  largestOf,
  possibleGroup,
  quotasHold,
} from './test/reference-rules.ts'
import { anyMeetings, anySettings, anyTimeline, type Moment, play } from './test/timeline.ts'

const anyPlay = fc.tuple(anySettings, anyTimeline, anyMeetings)
const checkMoments = (check: (moment: Moment, moments: Moment[]) => void) =>
  fc.assert(
    fc.property(anyPlay, ([settings, timeline, meetings]) => {
      const moments = play(settings, timeline, meetings)
      for (const moment of moments) check(moment, moments)
    }),
    { numRuns: 400 },
  )
const peopleOf = ({ input }: Moment, { members }: ProposedGroup) =>
  members.flatMap(({ participantId }) => input.people.filter((each) => each.participantId === participantId))

test('[M2] the same input gives the same proposal', () => {
  checkMoments(({ input, proposal }) => expect(propose(input)).toEqual(proposal))
})

test('[M2] nobody is in two groups, or grouped and ended, or matched without waiting', () => {
  checkMoments((moment, moments) => {
    if (moment !== moments.at(-1)) return
    const settled = moments.flatMap(({ proposal }) => [
      ...proposal.groups.flatMap(({ members }) => members.map(({ participantId }) => participantId)),
      ...proposal.endings.map(({ participantId }) => participantId),
    ])
    expect(new Set(settled).size).toBe(settled.length)
  })
})

test('[M3] [M4] [M6] [M7] no group is outside its limits', () => {
  checkMoments((moment) => {
    const { settings } = moment.input
    for (const group of moment.proposal.groups) {
      const people = peopleOf(moment, group)
      const [oldest] = people
      expect(people).toHaveLength(group.members.length)
      const isLate = oldest !== undefined && isDue(oldest, moment.input)
      const seats = people.length + group.agents.length
      expect(seats).toBeLessThanOrEqual(largestOf(settings))
      if (group.agents.length > 0) {
        expect([settings.onDeadline, isLate]).toEqual(['fill_with_agent', true])
        expect(seats).toBeGreaterThanOrEqual(settings.min)
      } else if (people.length < settings.min) {
        expect([settings.onDeadline, isLate]).toEqual(['start_short', true])
        expect(people.length).toBeGreaterThanOrEqual(2)
      } else if (settings.deadlineMs !== null && !isLate) expect(people).toHaveLength(largestOf(settings))
    }
  })
})

test('[M12] [M13] roles are kept and quotas hold', () => {
  checkMoments((moment) => {
    for (const group of moment.proposal.groups) {
      const given = group.members.map(({ role }) => role)
      const asked = peopleOf(moment, group).map(({ role }) => role)
      for (const [index, role] of asked.entries()) if (role !== 'participant') expect(given[index]).toBe(role)
      expect(quotasHold([...given, ...group.agents.map(({ role }) => role)], moment.input.settings)).toBe(
        true,
      )
    }
  })
})

test('[M14] [M15] exclusions hold', () => {
  checkMoments((moment) => {
    for (const group of moment.proposal.groups)
      expect(allMayMeet(peopleOf(moment, group), moment.input)).toBe(true)
  })
})

test('[M23] [M27] everyone is of the part that they take, and no part has more people than it asks for', () => {
  checkMoments((moment) => {
    const { compose } = moment.input.settings
    for (const group of moment.proposal.groups) {
      const people = peopleOf(moment, group)
      expect(canBeComposed(people, compose)).toBe(true)
      const { parts } = group.match
      if (!parts) {
        expect(compose).toEqual([])
        continue
      }
      const taken = compose.map(() => 0)
      for (const [index, person] of people.entries()) {
        const part = parts[index] ?? -1
        expect(isOfPart(compose[part]?.when ?? '', person)).toBe(true)
        taken[part] = (taken[part] ?? 0) + 1
      }
      for (const [part, { count }] of compose.entries()) expect(taken[part]).toBeLessThanOrEqual(count)
    }
  })
})

test('[M26] nobody of no part keeps waiting', () => {
  checkMoments(({ input: { settings }, stillWaiting }) => {
    const { compose } = settings
    if (compose.length > 0)
      for (const person of stillWaiting) expect(compose.some(({ when }) => isOfPart(when, person))).toBe(true)
  })
})

test('[M1] [M9] [M10] nobody who is screened out or late keeps waiting, except by policy', () => {
  checkMoments(({ input, stillWaiting }) => {
    const { settings, isClosing } = input
    if (isClosing) expect(stillWaiting).toEqual([])
    if (settings.onDeadline !== 'wait') expect(stillWaiting.filter((each) => isDue(each, input))).toEqual([])
    if (settings.filters.length > 0)
      expect(stillWaiting.filter(({ attributes }) => !(Number(attributes.age) >= 17))).toEqual([])
  })
})

test('[M11] [M17] those who keep waiting could not have started a group', () => {
  checkMoments(({ input, stillWaiting }) => {
    if (stillWaiting.length <= 10) expect(possibleGroup(stillWaiting, input)).toBeUndefined()
  })
})

test('[M11] without quotas, exclusions and balance groups are consecutive by arrival', () => {
  const plain = anySettings.map(({ min, max, deadlineMs, onDeadline }) =>
    settingsOf({ min, max, deadlineMs, onDeadline }),
  )
  fc.assert(
    fc.property(plain, anyTimeline, (settings, timeline) => {
      for (const { input, proposal } of play(settings, timeline)) {
        const order = input.people.map(({ participantId }) => participantId)
        const grouped = proposal.groups.flatMap(({ members }) => members.map((each) => each.participantId))
        expect(grouped).toEqual(order.slice(0, grouped.length))
      }
    }),
  )
})
