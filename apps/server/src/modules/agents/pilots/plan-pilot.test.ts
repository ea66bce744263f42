import type { Agent, ExperimentDefinition, PilotBody } from '@atrium/contract'
import { smallestDefinition } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { pilotIssues, planPilot, shareBudget } from './plan-pilot.ts'

const persona = (id: string, more: Partial<Agent> = {}): Agent => ({
  id,
  name: id,
  provider: 'Scripted',
  instructions: '',
  ...more,
})
const group = (more: Partial<ExperimentDefinition> = {}): ExperimentDefinition =>
  smallestDefinition({
    roles: [{ id: 'buyer', min: 1, max: 1 }, { id: 'seller', min: 2 }, 'watcher'],
    matching: { groupSize: { min: 3, max: 5 } },
    ...more,
  })
const seated = (definition: ExperimentDefinition, agents?: Agent[]) =>
  planPilot(definition, { rooms: 1, ...(agents && { agents }) }).seats.map(({ role, agentId }) => [
    role,
    agentId,
  ])

describe('[AP1] who sits where in a pilot', () => {
  test('a group is as large as the study allows, and its roles are those of matching', () => {
    expect(seated(group(), [persona('ann')])).toEqual([
      ['buyer', 'ann'],
      ['seller', 'ann'],
      ['seller', 'ann'],
      ['watcher', 'ann'],
      ['watcher', 'ann'],
    ])
    expect(seated(smallestDefinition(), [persona('ann')])).toEqual([['participant', 'ann']])
  })

  test('personas sit in turn where their role fits; a stand-in sits where none does', () => {
    const agents = [
      persona('ann', { role: 'seller' }),
      persona('sam'),
      persona('talk', { mediates: ['chat'] }),
    ]
    expect(seated(group(), agents)).toEqual([
      ['buyer', 'sam'],
      ['seller', 'ann'],
      ['seller', 'ann'],
      ['watcher', 'sam'],
      ['watcher', 'sam'],
    ])
    expect(new Set(seated(group(), [persona('ann', { role: 'seller' })]).map(([, id]) => id))).toEqual(
      new Set(['stand_in', 'ann']),
    )
  })

  test('the study’s own agents keep their seats, and fill those of people if they are made for it', () => {
    const own = [
      persona('stand_in', { seats: 2, role: 'seller' }),
      persona('host', { mediates: ['chat'] }),
      persona('spare', { fills: true, role: 'buyer' }),
    ]
    const plan = planPilot(group({ agents: own }), { rooms: 1 })
    expect(plan.seats.map(({ agentId }) => agentId)).toEqual([
      'spare',
      ...Array.from({ length: 4 }, () => 'stand_in_2'),
    ])
    expect(plan.personas.map(({ id }) => id)).toEqual(['stand_in', 'host', 'spare', 'stand_in_2'])
    expect(plan.agentsPerRoom).toBe(5 + 2 + 1)
  })

  test('a persona with the id of an agent of the study takes its place', () => {
    const own = [persona('host', { mediates: ['chat'] }), persona('judge', { seats: 1, role: 'seller' })]
    const given = [persona('judge', { name: 'Mild' }), persona('ann')]
    const plan = planPilot(group({ agents: own }), { rooms: 1, agents: given })
    expect(plan.personas).toEqual([
      { ...given[0], seats: 1, role: 'seller' },
      { ...given[1], fills: true },
      own[0],
    ])
    expect(new Set(plan.seats.map(({ agentId }) => agentId))).toEqual(new Set(['ann']))
  })
})

describe('[AP3] the budget of a pilot', () => {
  const priced = { credentialId: 'cred_1', price: { promptPerMillion: 1, replyPerMillion: 1 } }
  const body: PilotBody = { rooms: 2, budget: { turns: 25, tokens: 1_000, money: 10 } }
  const definition = group({ matching: { groupSize: 3 } })

  test('is shared equally by all agents in all rooms; a smaller budget of their own stays', () => {
    const { provider: _, ...ann } = persona('ann', { ...priced, budget: { turns: 3, money: 1_000 } })
    const plan = planPilot(definition, { ...body, agents: [ann, persona('sam')] })
    expect(pilotIssues(plan, body)).toEqual([])
    const [first, second] = shareBudget(plan, body).personas
    expect(first?.budget).toEqual({ turns: 3, tokens: 166, money: 10 / 6 })
    expect(second?.budget).toEqual({ turns: 4, tokens: 166 })
    expect(shareBudget(plan, { rooms: 2 })).toBe(plan)
  })

  test('is refused when a share would be nothing, when costs are unknown, and when there are too many agents', () => {
    const { provider: _, ...unpriced } = persona('ann', { credentialId: 'cred_1' })
    const plan = planPilot(definition, { rooms: 2, agents: [unpriced] })
    const paths = (budget: PilotBody['budget'], rooms = 2) =>
      pilotIssues(plan, { rooms, ...(budget && { budget }) }).map(({ path }) => path)
    expect(paths({ turns: 5, tokens: 6 })).toEqual(['/budget/turns'])
    expect(paths({ money: 5 })).toEqual(['/budget/money'])
    expect(paths(undefined, 50)).toEqual([])
    const crowd = planPilot(group({ matching: { groupSize: 500 } }), { rooms: 3 })
    expect(pilotIssues(crowd, { rooms: 2 })).toEqual([])
    expect(pilotIssues(crowd, { rooms: 3 })).toMatchObject([{ path: '/rooms' }])
  })
})
