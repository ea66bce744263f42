import type { ExperimentDefinition } from '@atrium/contract'
import { texts } from '../../text/console.ts'

export interface StartingPoint {
  id: keyof ReturnType<typeof texts>['newExperiment']['startingPoints']
  definition: ExperimentDefinition & Record<string, unknown>
}

export const startingPointText = ({ id }: StartingPoint): { title: string; description: string } =>
  texts().newExperiment.startingPoints[id]

/** The contract leaves the settings of a component open beyond its id and type. */
type Written = ExperimentDefinition['states'][number]['components'][number] & Record<string, unknown>
const component = (written: Written): Written => written

const blank: StartingPoint = {
  id: 'blank',
  definition: { name: 'My study', states: [{ id: 's1', components: [] }] },
}

const survey: StartingPoint = {
  id: 'survey',
  definition: {
    name: 'A short survey',
    states: [
      {
        id: 'consent',
        name: 'Before you begin',
        components: [
          component({
            id: 'agreement',
            type: 'consent',
            text: 'You will answer two short questions. Your answers are stored without your name. You can stop at any time.',
          }),
        ],
      },
      {
        id: 'questions',
        name: 'Two questions',
        components: [
          component({
            id: 'mood',
            type: 'slider',
            label: 'How do you feel right now?',
            minLabel: 'very bad',
            maxLabel: 'very good',
          }),
          component({
            id: 'sleep',
            type: 'multiple_choice',
            label: 'How did you sleep last night?',
            options: ['badly', 'so-so', 'well'],
          }),
        ],
      },
      {
        id: 'thanks',
        name: 'Thank you',
        components: [
          component({ id: 'bye', type: 'text', text: 'That was all. Thank you for taking part.' }),
        ],
      },
    ],
    completion: { codes: { SUCCESS: 'DONE', NO_CONSENT: 'DECLINED' } },
  },
}

const chat: StartingPoint = {
  id: 'chat',
  definition: {
    name: 'A conversation',
    states: [
      {
        id: 'talk',
        name: 'Talk',
        instructions: 'Get to know the other person.',
        components: [component({ id: 'chat', type: 'chat', maxLength: 500 })],
        end: { on: 'timed', afterMs: 300_000 },
      },
      {
        id: 'after',
        name: 'Afterwards',
        components: [
          component({
            id: 'liking',
            type: 'likert',
            label: 'I would like to meet this person again.',
            minLabel: 'not at all',
            maxLabel: 'very much',
          }),
        ],
        end: { on: 'all_responded', afterMs: 120_000 },
      },
    ],
    matching: { groupSize: 2, deadlineMs: 300_000, onDeadline: 'end_paid' },
    dropout: { policy: 'end', graceMs: 30_000 },
    completion: { codes: { SUCCESS: 'DONE', NOT_MATCHED: 'WAITED', PARTNER_LEFT: 'PARTNER' } },
  },
}

const agent: StartingPoint = {
  id: 'agent',
  definition: {
    name: 'A conversation with an agent',
    states: [
      {
        id: 'talk',
        name: 'Talk',
        instructions: 'Plan a trip together with an agent, a computer program.',
        components: [component({ id: 'chat', type: 'chat', maxLength: 500 })],
        end: { on: 'button', label: 'We have a plan', afterMs: 300_000 },
      },
      {
        id: 'after',
        name: 'Afterwards',
        components: [
          component({
            id: 'help',
            type: 'likert',
            label: 'The agent was helpful.',
            minLabel: 'not at all',
            maxLabel: 'very much',
          }),
        ],
        end: { on: 'button', afterMs: 120_000 },
      },
    ],
    agents: [
      {
        id: 'planner',
        name: 'Robin',
        provider: 'Scripted',
        seats: 1,
        instructions: 'You plan a day trip together with somebody. Be friendly and brief.',
        script: [
          { state: 'talk', say: ['Hello! Where would you like to go?', 'Good idea. By train, then?'] },
        ],
        fallback: 'default',
      },
    ],
    completion: { codes: { SUCCESS: 'DONE' } },
  },
}

const publicGoods: StartingPoint = {
  id: 'public-goods',
  definition: {
    name: 'A public goods round',
    states: [
      {
        id: 'contribute',
        name: 'Contribute',
        instructions:
          'You have 20 points. What all three put into the pot grows by half and is shared equally.',
        components: [
          component({
            id: 'contribution',
            type: 'slider',
            label: 'Points for the pot',
            max: 20,
            saveTo: 'given',
          }),
        ],
        end: { on: 'all_responded', afterMs: 60_000 },
        onEnd: { pot: 'sum(responses.contribution)', points: '20 - given + pot * 1.5 / 3' },
      },
      {
        id: 'result',
        name: 'Result',
        components: [
          component({ id: 'points', type: 'payoff', variable: 'points', label: 'You have earned' }),
        ],
        end: { on: 'button', afterMs: 60_000 },
      },
    ],
    variables: {
      pot: 0,
      given: { scope: 'participant', initial: 0 },
      points: { scope: 'participant', initial: 0 },
    },
    matching: { groupSize: 3, deadlineMs: 300_000, onDeadline: 'end_paid' },
    dropout: { policy: 'continue', graceMs: 30_000 },
    completion: { codes: { SUCCESS: 'DONE', NOT_MATCHED: 'WAITED' } },
  },
}

export const startingPoints: readonly [StartingPoint, ...StartingPoint[]] = [
  blank,
  survey,
  chat,
  publicGoods,
  agent,
]
