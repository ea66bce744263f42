import type { ExperimentDefinition, State } from '@atrium/contract'
import { blocksAround } from '@atrium/flow'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { component, group, playRoom, slider, state } from '../test/played-room.ts'
import { play, scenario } from '../test/random-room.ts'

type Block = NonNullable<ExperimentDefinition['blocks']>[number]

const asking = (id: string, more: Partial<State> = {}) =>
  state(id, { components: [slider], end: { on: 'all_responded' }, ...more })

/** Each of two says whether they help; those who do play two rounds. */
const study = (block: Partial<Block> = {}, more: Partial<ExperimentDefinition> = {}) =>
  group(
    [
      state('ask', {
        components: [component('helps', 'text_input', { required: true })],
        end: { on: 'all_responded' },
      }),
      asking('task', {
        instructions: 'Help now.',
        onEnd: { earned: 'earned + 5' },
        components: [slider, component('talk', 'chat')],
      }),
      state('after'),
    ],
    {
      variables: { earned: { scope: 'participant', initial: 0 } },
      blocks: [
        {
          id: 'helping',
          states: ['task'],
          rounds: 2,
          when: "response.helps == 'yes'",
          per: 'participant',
          ...block,
        },
      ],
      ...more,
    },
  )

function answered(answers: readonly string[], definition = study()) {
  const room = playRoom(definition)
  answers.forEach((answer, index) => {
    room.respond(`p${index + 1}`, 'helps', answer)
  })
  return room
}

describe('[RM221] a block that each participant in a group skips by themselves', () => {
  test('is played by those whose answer meets it, while the others wait, and all go on together', () => {
    const room = answered(['yes', 'no'])
    expect(room.snapshot('p2').state).toMatchObject({
      ...{ id: 'task', isWaiting: true, instructions: null, components: [] },
    })
    expect(room.respond('p2', 'rate', 1)).toBe('ACTION_REFUSED')
    expect(room.respond('p1', 'rate', 1)).toEqual(expect.any(Number))
    expect(room.snapshot('p1').state).toMatchObject({ id: 'task', round: 2, isWaiting: false })
    room.respond('p1', 'rate', 1)
    for (const who of ['p1', 'p2'])
      expect(room.snapshot(who).state).toMatchObject({ id: 'after', isWaiting: false })
    room.ready('p1')
    expect(room.at()).toBe('after')
    room.ready('p2')
    expect(room.outcomes()).toEqual(['SUCCESS', 'SUCCESS'])
    expect(playAgain(room)).toEqual(room.room())
  })

  test('assigns nothing to those who skip it, and is recorded as skipped for them alone', () => {
    const room = answered(['no', 'yes'])
    room.respond('p2', 'rate', 1)
    room.respond('p2', 'rate', 1)
    expect(room.room().seats.map(({ variables }) => variables.earned)).toEqual([0, 10])
    expect(room.recordsOf('p1', 'block_skipped').map(({ data }) => data.block)).toEqual(['helping'])
    expect(room.recordsOf('p2', 'block_skipped')).toEqual([])
    expect(room.recordsOf('p1', 'answers_missing')).toEqual([])
  })

  test('is skipped by all if it is met for nobody, and played by all if it is met for everyone', () => {
    expect(answered(['no', 'no']).path()).toEqual(['ask', 'after'])
    const both = answered(['yes', 'yes'])
    both.respond('p1', 'rate', 1)
    expect([both.at(), both.snapshot('p2').state?.isWaiting]).toEqual(['task', false])
  })

  test('does not let those who skip it hear what is said there', () => {
    const room = answered(['yes', 'no'])
    room.say('p1', 'hello')
    expect(room.typesHeard('p2')).not.toContain('message')
    expect(room.snapshot('p2').messages).toEqual([])
  })

  test('goes on when all who play it have left', () => {
    const room = answered(['yes', 'no', 'no'], study({}, { matching: { groupSize: 3 } }))
    room.leave('p1')
    expect([room.at('p2'), room.at('p3')]).toEqual(['after', 'after'])
  })

  test('keeps a value for payment only of the rounds that somebody played', () => {
    const payment = { currency: 'EUR', pick: { rounds: 1, of: 'earned' } } as const
    const room = answered(['yes', 'no'], study({}, { completion: { payment } }))
    room.respond('p1', 'rate', 1)
    room.respond('p1', 'rate', 1)
    expect(room.seat('p1').roundValues?.map(({ value }) => value)).toEqual([5, 10])
    expect(room.seat('p2').roundValues ?? []).toEqual([])
  })

  test('in any room, nobody who waits is in the way: whoever skips a block is back after it', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        for (const { room } of play(given, true).steps)
          for (const seat of room.seats.filter(({ status }) => status === 'active')) {
            const step = room.flow?.steps[room.flow.position]
            if (seat.skips !== undefined && room.status.kind === 'running')
              expect(blocksAround(step).map(({ blockId }) => blockId)).toContain(seat.skips)
            if (seat.skips !== undefined) expect(seat.here.sitsOut).toBe(true)
          }
      }),
      { numRuns: 100 },
    )
  })
})
