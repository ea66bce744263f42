import { limits } from '@atrium/contract'
import { assignCondition } from '@atrium/flow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../../test/seed.ts'
import { drawRole, type JoinFacts, mergeMetadata, planJoin, rolesToDraw } from './join.plan.ts'

const facts: fc.Arbitrary<JoinFacts> = fc.record({
  experimentStatus: fc.constantFrom('draft', 'recruiting', 'paused', 'closed', 'archived'),
  capacity: fc.option(fc.nat(4)),
  participantCount: fc.nat(6),
  participation: fc.option(fc.record({ completed: fc.boolean(), needsPlace: fc.boolean() }), {
    nil: undefined,
  }),
  allowRepeat: fc.boolean(),
  needsAccount: fc.boolean(),
})

const holds = (check: (facts: JoinFacts, kind: string, reason: string | undefined) => void) =>
  fc.assert(
    fc.property(facts, (given) => {
      const plan = planJoin(given)
      check(given, plan.kind, plan.kind === 'closed' ? plan.reason : undefined)
    }),
    { ...seeded, numRuns: 1_000 },
  )

test('[R22] newcomers join exactly while the experiment recruits and has places', () => {
  holds((given, kind) => {
    const { experimentStatus, capacity, participantCount, participation } = given
    const hasRoom = capacity === null || participantCount < capacity
    const isNew = participation === undefined || (participation.completed && given.allowRepeat)
    expect(kind === 'enter').toBe(
      isNew && experimentStatus === 'recruiting' && hasRoom && !given.needsAccount,
    )
  })
})

test('[R51] guests do not enter an experiment for people who sign in; those who are in it come back', () => {
  holds((given, kind) => {
    if (given.needsAccount) expect(kind).not.toBe('enter')
    if (kind === 'needs_account')
      expect([given.needsAccount, planJoin({ ...given, needsAccount: false }).kind]).toEqual([true, 'enter'])
  })
})

test('[R14,S1] people who have joined and not completed can come back, however full or closed it is', () => {
  holds(({ participation, experimentStatus }, kind) => {
    const isIn = participation?.completed === false && !participation.needsPlace
    expect(kind === 'resume').toBe(isIn && experimentStatus !== 'archived')
  })
})

test('[R56] people who gave their place back get another one, or find the experiment full', () => {
  holds(({ participation, experimentStatus, capacity, participantCount }, kind, reason) => {
    const needsPlace = participation?.completed === false && participation.needsPlace
    const isFull = capacity !== null && participantCount >= capacity
    expect(kind === 'return').toBe(needsPlace && experimentStatus !== 'archived' && !isFull)
    if (needsPlace && experimentStatus !== 'archived' && isFull)
      expect([kind, reason]).toEqual(['closed', 'full'])
  })
})

test('[R14] people who have completed are refused unless repeats are allowed', () => {
  holds(({ participation, allowRepeat }, kind, reason) => {
    if (participation?.completed && !allowRepeat)
      expect([kind, reason]).toEqual(['closed', 'already_completed'])
    else expect(reason).not.toBe('already_completed')
  })
})

test('[R9] a refusal gives the reason that the person can act upon', () => {
  holds(({ experimentStatus, participation }, _kind, reason) => {
    if (reason === 'full' && participation?.completed !== false) expect(experimentStatus).toBe('recruiting')
    if (reason === 'status') expect(experimentStatus).not.toBe('recruiting')
  })
})

test('[R22] more places never turn anybody away', () => {
  holds((given, kind) => {
    const roomier = planJoin({ ...given, capacity: null })
    if (kind !== 'closed') expect(roomier.kind).toBe(kind)
  })
})

const alone = (more: object = {}) => ({
  name: 'n',
  states: [{ id: 's', components: [{ id: 'c', type: 'text', roles: ['a'] }] }],
  roles: ['a', { id: 'b' }],
  ...more,
})

test('[S30] roles are drawn from those that are declared, unless `participant` is one of them', () => {
  expect(rolesToDraw(alone())).toEqual(['a', 'b'])
  expect(rolesToDraw(alone({ roles: undefined }))).toEqual([])
  expect(rolesToDraw(alone({ roles: ['a', 'participant'] }))).toEqual([])
  const forAny = { id: 'c', type: 'text', roles: ['participant'] }
  expect(rolesToDraw(alone({ globalComponents: [forAny] }))).toEqual([])
  expect(rolesToDraw(alone({ states: [{ id: 's', components: [forAny] }] }))).toEqual([])
  expect(rolesToDraw(alone({ states: [{ id: 's', components: [], roles: ['participant'] }] }))).toEqual([])
})

test('[S30] each role is drawn equally often, independently of the condition', () => {
  const roles = ['a', 'b']
  const drawn = Array.from({ length: 200 }, (_, before) => drawRole(roles, 'exp_1', before))
  for (let block = 0; block < 200; block += 2) expect(drawn.slice(block, block + 2).toSorted()).toEqual(roles)
  const conditions = { values: ['x', 'y'] }
  const pairs = drawn.map((role, room) => `${role}${assignCondition(conditions, 'exp_1', room)}`)
  const counts = ['ax', 'ay', 'bx', 'by'].map((pair) => pairs.filter((one) => one === pair).length)
  for (const count of counts) expect(count).toBeGreaterThan(25)
})

test('[S46] what joins send is kept together, and never grows beyond twice what one of them may send', () => {
  const sent = (name: string) => ({ [name]: 'x'.repeat(limits.metadataBytes - 100) })
  expect(mergeMetadata(undefined, { a: 1 })).toEqual({ a: 1 })
  expect(mergeMetadata({ id: 'p1', a: 1 }, { a: 2 })).toEqual({ id: 'p1', a: 2 })
  let kept: Record<string, unknown> = { id: 'p1' }
  for (const name of ['a', 'b', 'c', 'd']) kept = mergeMetadata(kept, sent(name))
  expect(Object.keys(kept)).toEqual(['id', 'a', 'b'])
})
