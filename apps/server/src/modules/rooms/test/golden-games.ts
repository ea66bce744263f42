import { readFileSync } from 'node:fs'
import type { ExperimentDefinition } from '@atrium/contract'
import { parseDefinition } from '../../experiments/parse-definition.ts'
import type { RoomAction } from '../model/room-action.ts'
import { soundDefinition } from './sound-definition.ts'

export interface GoldenGame {
  name: string
  definition: ExperimentDefinition
  roles: string[]
  ordinal: number
  /** Probability per step that somebody completes over HTTP; absent in recordings from before this was possible. */
  completing?: number
  /** How likely somebody is to withdraw their consent before each action. */
  withdrawing?: number
  /** How likely somebody's player is to say something before each action. */
  watching?: number
  /** How likely pictures are not to load, and people to say so before each action. */
  unloaded?: number
  /** How likely a turn of an agent is to bring no valid reply; absent for one in ten. */
  failing?: number
  /** How likely the server is to start anew, after which everybody comes back, in each step. */
  restarting?: number
  /** The rules that the room is opened with; absent in recordings from before there were any. */
  opening?: Pick<RoomAction<'opened'>, 'blendsAgents' | 'finishesTurns' | 'assigned'>
}

const example = (name: string, roles: string[], ordinal = 0): GoldenGame => {
  const file = new URL(`../../../../../../examples/${name}.json`, import.meta.url)
  const { study: definition } = parseDefinition(JSON.parse(readFileSync(file, 'utf8')))
  return { name, definition, roles, ordinal }
}

const policies = ['wait', 'continue', 'replace_with_agent', 'end'] as const

/** Roles, rounds in every order, all endings, global components, streams, loops, conditions and every kind of variable. */
function everything(pacing: 'room' | 'participant', policy: (typeof policies)[number]): GoldenGame {
  const definition = soundDefinition({
    name: 'Everything at once',
    states: [
      {
        id: 'welcome',
        components: [
          {
            id: 'quiz',
            type: 'instructions',
            questions: [{ id: 'q', options: ['x', 'y'], correct: 'x' }],
            maxAttempts: 2,
          },
          { id: 'age', type: 'text_input', kind: 'number', min: 18, max: 99, saveTo: 'age', required: false },
        ],
        end: { on: 'button', afterMs: 60_000 },
      },
      {
        id: 'give',
        components: [{ id: 'amount', type: 'slider', min: 0, max: 20, saveTo: 'given' }],
        end: { on: 'all_responded', afterMs: 20_000 },
        onEnter: { given: '0' },
        onEnd: { pot: 'pot + sum(responses.amount)', own: 'own + 20 - given' },
      },
      {
        id: 'film',
        components: [
          { id: 'clip', type: 'video', src: 'https://media.example/clip.mp4', durationMs: 4_000 },
          { id: 'mood', type: 'continuous_rating', mediaId: 'clip', sampleMs: 500 },
        ],
        end: { on: 'media_ended', componentId: 'clip', afterMs: 15_000 },
      },
      {
        id: 'decide',
        roles: ['leader'],
        components: [{ id: 'pick', type: 'multiple_choice', options: ['share', 'keep'], saveTo: 'choice' }],
        end: { on: 'any_responded', afterMs: 15_000 },
      },
      {
        id: 'pause',
        components: [{ id: 'note', type: 'text_input', kind: 'paragraph', required: false }],
        end: { on: 'timed', afterMs: 3_000 },
      },
      {
        id: 'agree',
        components: [{ id: 'yes', type: 'multiple_choice', options: ['yes', 'no'], roles: ['member'] }],
        end: { on: 'condition', when: 'count(responses.yes) > 0 || pot > 80', afterMs: 15_000 },
        onEnd: { happy: "choice == 'share' && double > 10" },
        next: [{ to: 'pause', when: '!happy', atMost: 2 }, { to: 'bye' }],
      },
      {
        id: 'bye',
        components: [{ id: 'payoff', type: 'payoff', variable: 'own' }],
        end: { on: 'button', afterMs: 30_000 },
      },
    ],
    globalComponents: [
      { id: 'talk', type: 'chat' },
      { id: 'whisper', type: 'chat', roles: ['member'], states: ['give', 'film'] },
    ],
    roles: ['leader', 'member'],
    blocks: [{ id: 'rounds', states: ['give', 'film', 'decide'], order: 'latin_square', rounds: 2 }],
    variables: {
      pot: 0,
      choice: null,
      happy: false,
      double: { compute: 'pot * 2' },
      own: { scope: 'participant', initial: 0 },
      given: { scope: 'participant', initial: 0, secret: true },
      age: { scope: 'participant' },
    },
    conditions: { values: ['low', 'high'], assign: 'balanced' },
    pacing,
    matching: { groupSize: 3 },
    dropout: { policy, graceMs: 6_000 },
  })
  return {
    name: `everything-${pacing}-${policy}`,
    definition,
    roles: ['leader', 'member', 'member'],
    ordinal: policies.indexOf(policy),
  }
}

/** A video that one role commands, with ratings at which it stops, and music that the server plays across states. */
function screening(): GoldenGame {
  const video = { id: 'film', type: 'video', src: 'https://media.example/film.mp4', durationMs: 20_000 }
  const liking = { id: 'liking', type: 'sparse_rating', mediaId: 'film', atMs: [0, 4_000, 12_000] }
  const music = { id: 'music', type: 'audio', src: 'https://media.example/music.mp3', waitForAllMs: 2_000 }
  const definition = soundDefinition({
    name: 'Screening',
    states: [
      {
        id: 'watch',
        components: [{ ...video, controlledBy: 'guide', waitForAllMs: 5_000 }, liking],
        end: { on: 'media_ended', componentId: 'film', afterMs: 120_000 },
      },
      { id: 'talk', components: [{ id: 'chat', type: 'chat' }], end: { on: 'timed', afterMs: 20_000 } },
    ],
    globalComponents: [music],
    roles: ['guide', 'viewer'],
    matching: { groupSize: 3 },
    dropout: { policy: 'wait', graceMs: 6_000 },
  })
  const roles = ['guide', 'viewer', 'viewer']
  return { name: 'screening', definition, roles, ordinal: 0, watching: 0.7 }
}

/** Two people, an agent that sits with them and takes the seats of drop-outs, and one that mediates. */
function negotiation(): GoldenGame {
  const common = { provider: 'Scripted' as const, instructions: 'Be fair.' }
  const pacing = { thinkMs: 800, thinkSpreadMs: 900, lullMs: 4_000, minMessages: 1, maxReplies: 4 }
  const definition = soundDefinition({
    name: 'People and agents',
    states: [
      {
        id: 'talk',
        components: [
          { id: 'chat', type: 'chat' },
          { id: 'offer', type: 'slider', min: 0, max: 20, saveTo: 'offer' },
        ],
        end: { on: 'button', afterMs: 60_000 },
        onEnd: { sum: 'sum(responses.offer)' },
      },
      {
        id: 'decide',
        components: [{ id: 'pick', type: 'multiple_choice', options: ['share', 'keep'] }],
        end: { on: 'all_responded', afterMs: 30_000 },
        next: [{ to: 'talk', when: 'sum < 40', atMost: 1 }],
      },
    ],
    agents: [
      { ...common, id: 'partner', name: 'Partner', seats: 1, replaces: true, fallback: 'default', pacing },
      {
        ...common,
        id: 'guide',
        name: 'Guide',
        mediates: ['chat'],
        speaks: { on: 'every', messages: 3 },
        pacing,
      },
    ],
    variables: { sum: 0, offer: { scope: 'participant', initial: 0 } },
    matching: { groupSize: 2 },
    dropout: { policy: 'replace_with_agent', graceMs: 4_000 },
  })
  return { name: 'agents', definition, roles: ['participant', 'participant'], ordinal: 0 }
}

/** Agents among people who are not told: one that leaves without a valid reply, where only a condition ends the state. */
function hiddenAgents(name: string, opening: NonNullable<GoldenGame['opening']>): GoldenGame {
  const common = { provider: 'Scripted' as const, instructions: 'Be fair.' }
  const pacing = { thinkMs: 400, thinkSpreadMs: 600, lullMs: 3_000, charactersPerSecond: 20 }
  const asked = ['first', 'second', 'third'].map((id) => ({ id, type: 'slider', required: id !== 'third' }))
  const definition = soundDefinition({
    name: 'Hidden agents',
    states: [
      {
        id: 'answer',
        components: asked,
        end: { on: 'condition', when: 'count(responses.second) > 2 && count(responses.first) > 2' },
      },
      { id: 'talk', components: [{ id: 'chat', type: 'chat' }, ...asked.slice(2)] },
      {
        id: 'decide',
        components: asked.map((one) => ({ ...one, id: `my_${one.id}` })),
        end: { on: 'all_responded' },
        next: [{ to: 'answer', atMost: 2 }],
      },
    ],
    agents: [
      { ...common, id: 'leaver', name: 'Leaver', seats: 1, fallback: 'leave', pacing },
      { ...common, id: 'stayer', name: 'Stayer', seats: 1, replaces: true, fallback: 'default', pacing },
    ],
    disclosure: { agents: 'hidden' },
    matching: { groupSize: 2 },
    dropout: { policy: 'replace_with_agent', graceMs: 4_000 },
  })
  return {
    name,
    definition,
    roles: ['participant', 'participant'],
    ordinal: 0,
    failing: 0.4,
    restarting: 0.2,
    opening,
  }
}

/** Conditions of factors, of each person, by what they have answered. */
function lateConditions(): GoldenGame {
  const definition = soundDefinition({
    name: 'Late conditions',
    states: [
      {
        id: 'ask',
        components: [{ id: 'mood', type: 'slider', min: 0, max: 10, saveTo: 'mood' }],
        end: { on: 'all_responded', afterMs: 20_000 },
        onEnd: { group: "mood == null ? null : if(mood > 5, 'high', 'low')" },
      },
      {
        id: 'advice',
        instructions: 'A {{condition.source}} says: {{seen}}',
        components: [{ id: 'follow', type: 'slider', min: 0, max: 10 }],
        onEnter: { seen: 'condition.frame' },
        end: { on: 'button', afterMs: 30_000 },
        next: [{ to: 'ask', atMost: 1 }],
      },
    ],
    conditions: {
      factors: { frame: ['gain', 'loss'], source: ['human', 'machine'] },
      per: 'participant',
      strata: ['group'],
    },
    variables: {
      mood: { scope: 'participant', initial: null },
      group: { scope: 'participant', initial: null },
      seen: { scope: 'participant', initial: null },
    },
    pacing: 'participant',
    matching: { groupSize: 2 },
    dropout: { policy: 'wait', graceMs: 4_000 },
  })
  const opening = { assigned: { condition: null, rows: [{}] } }
  return { name: 'late-conditions', definition, roles: ['participant', 'participant'], ordinal: 0, opening }
}

/** Parts in random order, one with rows of a table and one with a part that may be skipped, in each round of a game. */
function blocksInBlocks(): GoldenGame {
  const ask = (id: string) => ({
    id,
    components: [{ id: `${id}_value`, type: 'slider', min: 0, max: 10 }],
    end: { on: 'all_responded' as const, afterMs: 10_000 },
  })
  const definition = soundDefinition({
    name: 'Blocks in blocks',
    states: [ask('word'), ask('price'), ask('extra'), ask('sum')],
    blocks: [
      { id: 'game', states: ['parts', 'sum'], rounds: 2 },
      { id: 'parts', states: ['words', 'market'], order: 'random' },
      { id: 'words', states: ['word'], trials: { table: 'words', order: 'random', sample: 2 } },
      { id: 'market', states: ['price', 'extra'], when: 'visit != 1', order: 'latin_square' },
    ],
    tables: { words: { rows: [{ word: 'a' }, { word: 'b' }, { word: 'c' }] } },
    matching: { groupSize: 2 },
    dropout: { policy: 'wait', graceMs: 4_000 },
  })
  return { name: 'blocks-in-blocks', definition, roles: ['participant', 'participant'], ordinal: 1 }
}

/** Neighbours who are read, asked about and spoken to, and others after each round. */
function rewiring(): GoldenGame {
  const definition = soundDefinition({
    name: 'A network that changes',
    states: [
      {
        id: 'give',
        instructions: 'Around you: {{neighbours.alias}}, {{sum(neighbours.given)}}.',
        components: [
          { id: 'amount', type: 'slider', min: 0, max: 10, saveTo: 'given' },
          { id: 'trust', type: 'slider', forEach: 'neighbours', label: '{{each.alias}}', required: false },
          { id: 'talk', type: 'chat', audience: 'neighbours' },
        ],
        end: { on: 'all_responded', afterMs: 10_000 },
        onEnd: { around: 'around + sum(neighbours.given)' },
        rewire: { cut: 'draw(neighbours.alias)', join: 'sample(others.alias, 2)', mutual: true },
      },
    ],
    blocks: [{ id: 'rounds', states: ['give'], rounds: 4 }],
    variables: {
      given: { scope: 'participant', initial: 0 },
      around: { scope: 'participant', initial: 0 },
    },
    matching: { groupSize: 6 },
    network: { kind: 'small_world', degree: 2, rewire: 0.5 },
    dropout: { policy: 'continue', graceMs: 4_000 },
  })
  return { name: 'network', definition, roles: Array(6).fill('participant'), ordinal: 0 }
}

/** The games to record: the examples, one with every feature, and some with a few of them. */
export const goldenGames = (): GoldenGame[] => [
  example('public-goods', ['participant', 'participant', 'participant', 'participant']),
  example('negotiation', ['buyer', 'seller']),
  example('film-ratings', ['participant']),
  example('picture-rating', ['participant'], 1),
  example('quick-survey', ['participant']),
  example('one-random-round', ['participant', 'participant']),
  example('survey-kinds', ['participant']),
  example('lexical-decision', ['participant']),
  {
    ...example('vignette-survey', ['participant']),
    opening: { assigned: { condition: 'two_years×warm', rows: [{}] } },
  },
  ...policies.map((policy) => everything('room', policy)),
  ...policies.map((policy) => everything('participant', policy)),
  { ...everything('room', 'wait'), name: 'completing', completing: 0.06 },
  { ...everything('participant', 'continue'), name: 'withdrawing', withdrawing: 0.03 },
  screening(),
  negotiation(),
  hiddenAgents('hidden-agents', { blendsAgents: true }),
  hiddenAgents('hidden-agents-finishing', { blendsAgents: true, finishesTurns: true }),
  lateConditions(),
  {
    ...example('paradigms/public-goods-with-punishment', Array(4).fill('participant')),
    name: 'about-each-of-the-others',
  },
  blocksInBlocks(),
  rewiring(),
  { ...example('survey-kinds', ['participant']), name: 'pictures-that-fail', unloaded: 0.2 },
]
