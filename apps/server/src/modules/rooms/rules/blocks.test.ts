import { type ExperimentDefinition, type State, studyOf } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { triedDefinition } from '../../tries/tried-definition.ts'
import { compileBlueprint } from '../model/blueprint.ts'
import { playAgain } from '../test/play-again.ts'
import { component, group, playRoom, state } from '../test/played-room.ts'
import { emptyRoom } from './opening.ts'
import { reduceRoom } from './reduce-room.ts'

type Block = NonNullable<ExperimentDefinition['blocks']>[number]

const ask = state('ask', {
  components: [component('smokes', 'text_input', { required: true })],
  end: { on: 'all_responded' },
})
const inside = (id: string, more: Partial<State> = {}) =>
  state(id, {
    components: [
      component(`${id}-why`, 'text_input', { required: false }),
      component('note', 'text', { text: 'x' }),
    ],
    ...more,
  })

const study = (block: Partial<Block>, more: Partial<ExperimentDefinition> = {}) =>
  group([ask, inside('brand'), inside('years'), state('after')], {
    matching: { groupSize: 1 },
    blocks: [{ id: 'smoking', states: ['brand', 'years'], when: "response.smokes == 'yes'", ...block }],
    ...more,
  })

function answered(definition: Partial<ExperimentDefinition>, answer: string) {
  const room = playRoom(definition)
  room.respond('p1', 'smokes', answer)
  return room
}

describe('a block with a condition', () => {
  test('[RM240] is played by those whose answer in the state before meets it, and passed by the others', () => {
    expect(answered(study({}), 'yes').path()).toEqual(['ask', 'brand'])
    expect(answered(study({}), 'no').path()).toEqual(['ask', 'after'])
  })

  test('[RM240] is skipped with all its rounds and trials, and asked about once', () => {
    const rounds = study({ rounds: 3 })
    expect(answered(rounds, 'no').path()).toEqual(['ask', 'after'])
    const trials = study(
      { trials: { table: 'words' } },
      { tables: { words: { rows: [{ word: 'a' }, { word: 'b' }] } } },
    )
    expect(answered(trials, 'no').path()).toEqual(['ask', 'after'])
    // What is answered in the first round does not end the block before the second.
    const changing = study({ when: 'tired != true', rounds: 2 }, { variables: { tired: false } })
    changing.states?.[1] && Object.assign(changing.states[1], { onEnter: { tired: 'true' } })
    const room = answered(changing, 'yes')
    for (const id of ['brand', 'years', 'brand', 'years']) {
      expect(room.at()).toBe(id)
      room.ready('p1')
    }
    expect(room.at()).toBe('after')
  })

  test('[RM240] may be the first of a study, and the last', () => {
    const last = group([ask, inside('brand')], {
      matching: { groupSize: 1 },
      blocks: [{ id: 'smoking', states: ['brand'], when: "response.smokes == 'yes'" }],
    })
    expect(answered(last, 'no').outcomes()).toEqual(['SUCCESS'])
    const assigned = { condition: 'loss', rows: [{}] }
    const byCondition = study(
      { states: ['ask', 'brand', 'years'], when: "condition == 'gain'" },
      { conditions: { values: ['gain', 'loss'] } },
    )
    expect(playRoom(byCondition, { assigned }).path()).toEqual(['after'])
    expect(playRoom(byCondition, { assigned: { ...assigned, condition: 'gain' } }).path()).toEqual(['ask'])
  })

  test('[RM240] is asked about again when a transition leads into it, and one into its middle may pass it', () => {
    const jumping = study({})
    const states = [
      { ...ask, next: [{ to: 'years' }] },
      inside('brand'),
      inside('years', { next: [{ to: 'brand', when: 'visit < 3', atMost: 1 }] }),
      state('after', { next: [{ to: 'years', atMost: 1 }] }),
    ]
    const room = answered({ ...jumping, states }, 'yes')
    for (let press = 0; press < 4; press += 1) room.ready('p1')
    expect(room.path()).toEqual(['ask', 'years', 'brand', 'years', 'after', 'years'])
    const passed = answered({ ...jumping, states }, 'no')
    expect(passed.path()).toEqual(['ask', 'after'])
    passed.ready('p1')
    expect([passed.path(), passed.outcomes()]).toEqual([['ask', 'after', 'after'], [null]])
  })

  test('[RM240] two in a row are each asked about, with what the last state has left', () => {
    const definition = study(
      {},
      {
        blocks: [
          { id: 'one', states: ['brand'], when: "response.smokes == 'a'" },
          { id: 'two', states: ['years'], when: "response.smokes == 'b'" },
        ],
      },
    )
    expect(answered(definition, 'a').path()).toEqual(['ask', 'brand'])
    expect(answered(definition, 'b').path()).toEqual(['ask', 'years'])
    expect(answered(definition, 'c').path()).toEqual(['ask', 'after'])
  })

  test('[RM240] in a group at its own pace, each person has a path of their own', () => {
    const room = playRoom(study({}, { matching: { groupSize: 2 }, pacing: 'participant' }))
    room.respond('p1', 'smokes', 'yes')
    room.respond('p2', 'smokes', 'no')
    expect([room.path('p1'), room.path('p2')]).toEqual([
      ['ask', 'brand'],
      ['ask', 'after'],
    ])
    expect([room.recordsOf('p1', 'block_skipped'), room.recordsOf('p2', 'block_skipped')]).toEqual([
      [],
      [expect.objectContaining({ stateId: null, visit: 1, data: { block: 'smoking' } })],
    ])
  })

  test('[RM240] where everyone moves together, the room plays it or does not, and nothing in it is awaited', () => {
    const definition = study({ when: "count(responses.smokes, 'yes') > 1" }, { matching: { groupSize: 2 } })
    const play = (answers: string[]) => {
      const room = playRoom(definition)
      for (const [index, answer] of answers.entries()) room.respond(`p${index + 1}`, 'smokes', answer)
      return room
    }
    expect(play(['yes', 'yes']).path('p2')).toEqual(['ask', 'brand'])
    const skipped = play(['yes', 'no'])
    expect(skipped.path('p2')).toEqual(['ask', 'after'])
    expect(skipped.records.filter(({ type }) => type === 'block_skipped')).toHaveLength(2)
    for (const id of ['p1', 'p2']) skipped.ready(id)
    expect(skipped.outcomes()).toEqual(['SUCCESS', 'SUCCESS'])
  })

  test('[RM240] an answer to what is in it is refused', () => {
    const room = answered(study({}), 'no')
    expect(room.respond('p1', 'brand-why', 'x')).toBe(
      answered(study({}), 'yes').respond('p1', 'years-why', 'x'),
    )
  })

  test('[RM240] the same log plays and skips the same', () => {
    for (const answer of ['yes', 'no']) {
      const room = answered(study({ order: 'random', rounds: 2 }), answer)
      room.ready('p1')
      expect(playAgain(room)).toEqual(room.room())
    }
  })

  test('[TR2] somebody who tries the study from a state of the block sees it', () => {
    const definition = triedDefinition({ name: 'Test', states: [], ...study({}) }, { startAt: 'years' })
    const blueprint = compileBlueprint(studyOf(definition))
    const origin = { roomId: 'room_1', experimentId: 'exp_1', revision: 1, seed: 'seed', ordinal: 0 }
    const members = [{ participantId: 'p1', role: 'participant', metadata: {} }]
    const opened = { type: 'opened', members, seed: 'seed', ordinal: 0 } as const
    const reduction = reduceRoom(emptyRoom(origin, blueprint), opened, 0, blueprint)
    if (reduction.kind !== 'applied') throw new Error('the room was not opened')
    expect(reduction.records.filter(({ type }) => type === 'state_transition').at(-1)?.stateId).toBe('years')
  })
})

describe('a block in a block', () => {
  const rounds = (inner: Partial<Block> = {}, outer: Partial<Block> = {}) =>
    group([ask, inside('brand'), inside('years'), state('after')], {
      matching: { groupSize: 1 },
      blocks: [
        { id: 'outer', states: ['inner', 'years'], rounds: 2, ...outer },
        { id: 'inner', states: ['brand'], rounds: 2, ...inner },
      ],
    })
  const press = (room: ReturnType<typeof answered>, times: number) => {
    for (let time = 0; time < times; time += 1) room.ready('p1')
    return room
  }

  test('[RM230] is recorded with the rounds of the blocks around it', () => {
    const room = press(answered(rounds(), 'yes'), 6)
    expect(room.path()).toEqual(['ask', 'brand', 'brand', 'years', 'brand', 'brand', 'years', 'after'])
    const entered = room.recordsOf('p1', 'state_transition').slice(1)
    expect(entered.map(({ round }) => round)).toEqual([1, 2, 1, 1, 2, 2, null])
    const within = (round: number) => [{ block: 'outer', round }]
    expect(entered.map(({ data }) => data.within)).toEqual([
      within(1),
      within(1),
      undefined,
      within(2),
      within(2),
      undefined,
      undefined,
    ])
    expect(room.recordsOf('p1', 'answers_missing')[0]?.data.within).toEqual(within(1))
  })

  test('[RM231] is asked for its condition in each round around it', () => {
    const room = press(answered(rounds({ when: 'visit < 3' }), 'yes'), 4)
    expect(room.path()).toEqual(['ask', 'brand', 'brand', 'years', 'years', 'after'])
    expect(room.recordsOf('p1', 'block_skipped').map(({ data }) => data)).toEqual([{ block: 'inner' }])
  })

  test('[RM231] is skipped with the block around it, without being asked', () => {
    const room = answered(rounds({ when: 'visit > 100' }, { when: "response.smokes == 'yes'" }), 'no')
    expect(room.path()).toEqual(['ask', 'after'])
    expect(room.recordsOf('p1', 'block_skipped').map(({ data }) => data)).toEqual([{ block: 'outer' }])
  })

  test('[RM231] that ‘until’ ends begins again in the next round around it', () => {
    const trials = { table: 'words', until: 'trial.index == 2' }
    const tables = { words: { rows: [{ word: 'a' }, { word: 'b' }, { word: 'c' }] } }
    const room = press(answered({ ...rounds({ trials, rounds: 1 }), tables }, 'yes'), 6)
    expect(room.path()).toEqual(['ask', 'brand', 'brand', 'years', 'brand', 'brand', 'years', 'after'])
  })
})
