import type { ExperimentDefinition } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import { describe, expect, it } from 'vitest'
import { checkFlow } from './check-flow.ts'

const errorsOf = (more: Partial<ExperimentDefinition>, rounds?: number) =>
  checkFlow(
    experiment([state('give'), state('take')], {
      roles: ['giver', 'taker'],
      matching: { groupSize: 2 },
      blocks: [
        { id: 'game', states: ['give', 'take'], rotateRoles: true, ...(rounds !== undefined && { rounds }) },
      ],
      ...more,
    }),
    () => true,
  ).errors.map(({ path, message }) => `${path}: ${message}`)

describe('[F86] roles rotate', () => {
  it('over the rounds of a block, in a group that moves together', () => {
    expect(errorsOf({}, 2)).toEqual([])
  })

  it('only where there are roles and rounds', () => {
    expect(errorsOf({ roles: ['giver'] }, 2)).toEqual([
      '/blocks/0/rotateRoles: needs at least two ‘roles’, which people can take in turn',
    ])
    expect(errorsOf({})).toEqual([
      '/blocks/0/rotateRoles: roles change from one round to the next, but block ‘game’ has one round; set ‘rounds’',
    ])
  })

  it('only where everyone is in the same round', () => {
    for (const more of [{ pacing: 'participant' as const }, { matching: { groupSize: 1 } }])
      expect(errorsOf(more, 2)).toEqual([
        '/blocks/0/rotateRoles: needs a group that moves through the study together (‘pacing: "room"’), because everyone changes roles at once',
      ])
  })

  it('[F183] in one of the blocks around a state alone, whichever it is', () => {
    const nested = (outer: object, inner: object) =>
      errorsOf({
        blocks: [
          { id: 'match', states: ['game', 'take'], rounds: 2, ...outer },
          { id: 'game', states: ['part'], rounds: 2 },
          { id: 'part', states: ['give'], rounds: 2, ...inner },
        ],
      })
    const rotateRoles = true
    expect([...nested({ rotateRoles }, {}), ...nested({}, { rotateRoles })]).toEqual([])
    expect(nested({ rotateRoles }, { rotateRoles })).toEqual([
      '/blocks/2/rotateRoles: block ‘part’ is within ‘match’, in which roles rotate already; only one of the blocks around a state can rotate them',
    ])
  })
})
