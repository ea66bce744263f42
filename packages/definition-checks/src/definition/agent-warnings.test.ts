import type { Agent, ExperimentDefinition } from '@atrium/contract'
import { expect, test } from 'vitest'
import { agentWarnings } from './agent-warnings.ts'

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
  states: [
    { id: 's1', components: [{ id: 'talk', type: 'chat' }] },
    { id: 's2', components: [{ id: 'age', type: 'slider' }] },
  ],
  globalComponents: [
    { id: 'mood', type: 'slider' },
    { id: 'trust', type: 'slider', states: ['s2'] },
  ],
  agents,
  ...more,
})

const matching = { groupSize: 2, deadlineMs: 1_000, onDeadline: 'fill_with_agent' } as const
const dropout = { policy: 'replace_with_agent' } as const

test.each<[string, Agent[], More, string, string]>([
  [
    'fills without the policy',
    [agent({ fills: true })],
    { matching: { ...matching, onDeadline: 'wait' } },
    '/agents/0/fills',
    'fills no seat unless matching.onDeadline is ‘fill_with_agent’',
  ],
  [
    'replaces without the policy',
    [agent({ seats: 1 }), agent({ id: 'bob', replaces: true })],
    {},
    '/agents/1/replaces',
    'replaces nobody unless dropout.policy is ‘replace_with_agent’',
  ],
  [
    'has to write more than it may',
    [agent({ seats: 1, pacing: { minMessages: 21 } })],
    {},
    '/agents/0/pacing/minMessages',
    'is greater than ‘maxReplies’, so the agent continues after 20 messages',
  ],
  [
    'answers a component of another state',
    [agent({ seats: 1, script: [{}, { state: 's1', answers: { mood: 1, trust: 2 } }] })],
    {},
    '/agents/0/script/1/answers',
    'there is no component ‘trust’ in state ‘s1’; this answer is never given',
  ],
  [
    'answers a component that is nowhere',
    [agent({ seats: 1, script: [{ answers: { age: 30, trust: 2, constructor: 3 } }] })],
    {},
    '/agents/0/script/0/answers',
    'there is no component ‘constructor’ in any state; this answer is never given',
  ],
  [
    'is read by a model, and nobody is told',
    [],
    { consent: { text: ' ', sendsTextToModels: true } },
    '/consent/sendsTextToModels',
    'nobody would be told that a language model reads what they write; say so in consent.text',
  ],
])('what %s causes a warning', (_, agents, more, path, message) => {
  expect(agentWarnings(withAgents(agents, more))).toEqual([{ path, message }])
})

test.each<[Agent[], More]>([
  [[agent({ mediates: ['talk'] })], {}],
  [[agent({ fills: true, replaces: true })], { matching, dropout }],
  [[agent({ seats: 1, pacing: { minMessages: 2, maxReplies: 2 } })], {}],
  [[agent({ seats: 1, script: [{ state: 's2', answers: { age: 30, mood: 1, trust: 2 } }] })], {}],
  [[agent({ seats: 1, script: [{ state: 'nowhere', answers: { age: 30 } }] })], {}],
  [[], { consent: { text: 'A model reads what you write.', sendsTextToModels: true } }],
])('%j with %j is fine', (agents, more) => {
  expect(agentWarnings(withAgents(agents, more))).toEqual([])
})

test('an agent without a part, and roles that nobody replaces, cause warnings', () => {
  const definition = withAgents([agent(), agent({ id: 'bob', replaces: true, role: 'a' })], {
    roles: ['a', 'b'],
    dropout: { policy: 'replace_with_agent' },
  })
  expect(agentWarnings(definition)).toEqual([
    {
      path: '/agents/0',
      message: 'agent ‘ada’ does not take part; give it ‘seats’, ‘fills’, ‘replaces’ or ‘mediates’',
    },
    {
      path: '/dropout/policy',
      message: 'no agent with ‘replaces’ can take the role ‘b’; such a seat stays empty',
    },
  ])
})
