import type { Agent, ExperimentDefinition } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { checkAgents } from './check-agents.ts'
import { checkMatching } from './check-matching.ts'

type More = Partial<ExperimentDefinition>

const agent = (more: Partial<Agent> = {}): Agent => ({
  id: 'ada',
  name: 'Ada',
  provider: 'Scripted',
  instructions: 'Be kind.',
  ...more,
})
const withAgents = (agents: Agent[], more: More = {}): ExperimentDefinition => ({
  name: 'Checked',
  states: [{ id: 's1', components: [{ id: 'talk', type: 'chat' }] }],
  variables: { earned: 0 },
  agents,
  ...more,
})
const { provider: _none, ...hired } = agent({ seats: 1 })
const consent = { sendsTextToModels: true }

describe('[R43] agents that could not take part are refused, with their path', () => {
  test.each<[Agent[], More, string, string]>([
    [[hired], {}, '/agents/0', 'needs ‘credentialId’, or ‘provider: "Scripted"’'],
    [
      [agent({ credentialId: 'c' })],
      { consent },
      '/agents/0/provider',
      'cannot be combined with ‘credentialId’; use one of them',
    ],
    [
      [{ ...hired, credentialId: 'c', script: [] }],
      { consent },
      '/agents/0/script',
      'is only for ‘provider: "Scripted"’',
    ],
    [
      [{ ...hired, credentialId: 'c' }],
      { consent: { text: 'We talk.' } },
      '/agents/0/credentialId',
      'what participants write would be sent to a language model; tell them so in the consent text, and set consent.sendsTextToModels to true',
    ],
    [[agent(), agent()], {}, '/agents/1/id', 'duplicate agent id ‘ada’'],
    [[agent({ role: 'judge' })], {}, '/agents/0/role', 'role ‘judge’ does not exist'],
    [[agent({ script: [{}, { state: 's2' }] })], {}, '/agents/0/script/1/state', 'state ‘s2’ does not exist'],
    [
      [agent({ budget: { money: 1 } })],
      {},
      '/agents/0/budget/money',
      'requires ‘price’; without it the cost is unknown',
    ],
    [
      [agent(), { ...hired, id: 'bob', credentialId: 'c' }],
      { consent, agentBudget: { money: 1 } },
      '/agentBudget/money',
      'requires ‘price’ of every agent that uses a model; ‘bob’ has none',
    ],
    [[agent({ mediates: ['hall'] })], {}, '/agents/0/mediates/0', 'there is no chat ‘hall’'],
    [
      [agent({ mediates: ['talk'], name: 'p2' })],
      {},
      '/agents/0/name',
      'would be mistaken for a participant or the researcher; choose another name',
    ],
    [[agent({ mediates: ['talk', 'talk'] })], {}, '/agents/0/mediates/1', '‘talk’ is already in the list'],
    [
      [agent({ mediates: ['talk'], seats: 1 })],
      {},
      '/agents/0/seats',
      'cannot be combined with ‘mediates’: a mediator takes no seat',
    ],
    [
      [agent({ mediates: ['talk'], sees: ['earned', 'constructor'] })],
      {},
      '/agents/0/sees/1',
      'variable ‘constructor’ does not exist',
    ],
    [
      [agent({ seats: 1, speaks: { on: 'demand' } })],
      {},
      '/agents/0/speaks',
      'is only for agents with ‘mediates’',
    ],
    [
      [agent({ seats: 100 }), agent({ id: 'bob', seats: 1 })],
      { matching: { groupSize: 900 } },
      '/agents',
      'a room would have 1001 seats: 900 of people and 101 of agents; the limit is 1000',
    ],
    [
      [agent({ seats: 1 })],
      { matching: { groupSize: 2, deadlineMs: 1, onDeadline: 'fill_with_agent' } },
      '/matching/onDeadline',
      '‘fill_with_agent’ needs an agent with ‘fills: true’',
    ],
    [
      [agent({ fills: true, role: 'buyer' })],
      {
        roles: ['buyer', { id: 'seller', min: 1 }],
        matching: { groupSize: 2, deadlineMs: 1, onDeadline: 'fill_with_agent' },
      },
      '/matching/onDeadline',
      '‘fill_with_agent’ needs an agent with ‘fills: true’ for the role ‘seller’, or for any role',
    ],
    [
      [agent({ seats: 1 })],
      { dropout: { policy: 'replace_with_agent' } },
      '/dropout/policy',
      '‘replace_with_agent’ needs an agent with ‘replaces: true’',
    ],
  ])('[X49] %j with %j', (agents, more, path, message) => {
    expect(checkAgents(withAgents(agents, more))).toEqual([{ path, message }])
  })

  test.each<[Agent[], More]>([
    [[], {}],
    [[agent({ seats: 2, role: 'participant' })], { matching: { groupSize: 2 } }],
    [
      [
        {
          ...hired,
          credentialId: 'c',
          budget: { money: 1 },
          price: { promptPerMillion: 1, replyPerMillion: 2 },
        },
        agent({ id: 'bob' }),
      ],
      { consent, agentBudget: { money: 1 } },
    ],
    [[agent({ mediates: ['talk'], sees: ['earned'], speaks: { on: 'lull', afterMs: 5_000 } })], {}],
    [
      [agent({ fills: true, replaces: true })],
      {
        roles: [
          { id: 'buyer', min: 1 },
          { id: 'seller', min: 1 },
        ],
        matching: { groupSize: 2, deadlineMs: 1, onDeadline: 'fill_with_agent' },
        dropout: { policy: 'replace_with_agent' },
      },
    ],
  ])('valid agents are accepted: %j', (agents, more) => {
    expect(checkAgents(withAgents(agents, more))).toEqual([])
  })
})

describe('[R43] what an agent cannot answer', () => {
  const video = { id: 'film', type: 'video', src: '/film.mp4' }
  const refusedFor = (agents: Agent[], more: More) => checkAgents(withAgents(agents, more))

  test('[X49] is refused with the component, its type and the reason', () => {
    const states = [{ id: 's1', components: [{ id: 'mood', type: 'slider' }, video] }]
    const globalComponents = [{ id: 'widget', type: 'eye_tracker' }]
    expect(refusedFor([agent({ fills: true })], { states, globalComponents })).toEqual([
      {
        path: '/states/0/components/1',
        message:
          'agent ‘ada’ cannot answer ‘film’ (video): it has to be watched or listened to. Show it only to roles that no agent takes',
      },
      {
        path: '/globalComponents/0',
        message:
          'agent ‘ada’ cannot answer ‘widget’ (eye_tracker): the platform does not know what its responses look like. Show it only to roles that no agent takes',
      },
    ])
  })

  test('matters only to agents that sit where it is shown', () => {
    const roles = ['viewer', 'reader']
    const shown = [{ id: 's1', components: [{ ...video, roles: ['viewer'] }] }]
    const inState = [{ id: 's1', components: [video], roles: ['viewer'] }]
    for (const states of [shown, inState]) {
      expect(refusedFor([agent({ seats: 1, role: 'reader' })], { roles, states })).toEqual([])
      expect(refusedFor([agent({ seats: 1, role: 'viewer' })], { roles, states })).toHaveLength(1)
      expect(refusedFor([agent({ replaces: true })], { roles, states })).toHaveLength(1)
      expect(refusedFor([agent()], { roles, states })).toEqual([])
    }
  })

  test.each([
    'video',
    'audio',
    'continuous_rating',
    'sparse_rating',
    'reaction_time',
    'file_upload',
    'audio_answer',
    'custom_html',
    'constructor',
  ])('includes %s', (type) => {
    const states = [{ id: 's1', components: [{ id: 'c', type }] }]
    expect(refusedFor([agent({ seats: 1 })], { states })).toMatchObject([{ path: '/states/0/components/0' }])
  })
})

test('[R43] a role that agents take needs no place in the group', () => {
  const roles = [{ id: 'buyer', min: 1, max: 1 }, 'seller']
  const of = (agents: Agent[]) => checkMatching(withAgents(agents, { roles, matching: { groupSize: 1 } }))
  expect(of([agent({ seats: 1, role: 'seller' })])).toEqual([])
  expect(of([agent({ fills: true, role: 'seller' })])).toMatchObject([{ path: '/roles/1' }])
})
