import type { ExperimentDefinition, State } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { component, group, openedAt, playRoom, slider, state } from '../test/played-room.ts'

const asking = (id: string, more: Partial<State> = {}) =>
  state(id, { components: [slider], end: { on: 'all_responded' }, ...more })

/** A block of ten rounds, and a page before and after. */
const rounds = (limit: object, more: Partial<ExperimentDefinition> = {}) =>
  group([state('before'), asking('ask'), state('after'), state('last')], {
    matching: { groupSize: 1 },
    blocks: [{ id: 'work', states: ['ask'], rounds: 10, timeLimit: { afterMs: 10_000, ...limit } }],
    ...more,
  })

const study = (limit: object, more: Partial<ExperimentDefinition> = {}) =>
  group([asking('ask'), asking('again'), state('debriefing'), state('last')], {
    matching: { groupSize: 1 },
    timeLimit: { afterMs: 10_000, ...limit },
    ...more,
  })

describe('[RM218,RM219] the time limit of a block', () => {
  test('counts from its beginning over all rounds, and leads to what follows it', () => {
    const room = playRoom(rounds({}))
    room.pass(60_000)
    room.ready('p1')
    room.pass(6_000)
    room.respond('p1', 'rate', 1)
    expect(room.snapshot('p1').state).toMatchObject({
      id: 'ask',
      round: 2,
      deadlineAt: openedAt + 70_000,
    })
    room.pass(4_000)
    expect(room.path()).toEqual(['before', 'ask', 'ask', 'after'])
    expect(room.snapshot('p1').state?.deadlineAt).toBeNull()
    expect(playAgain(room)).toEqual(room.room())
  })

  test('leads where it says, with an outcome at the end', () => {
    const later = playRoom(rounds({ onTimeout: { to: 'last' } }))
    later.ready('p1')
    later.pass(10_000)
    expect(later.at()).toBe('last')
    const over = playRoom(rounds({ onTimeout: { outcome: 'SLOW' } }))
    over.ready('p1')
    over.pass(10_000)
    expect(over.outcomes()).toEqual(['SLOW'])
  })

  test('[RM220] runs what the state assigns at its end, is recorded, and names what was cut off', () => {
    const definition = rounds({}, { variables: { ended: 0 } })
    Object.assign(definition.states?.[1] ?? {}, { onEnd: { ended: 'ended + 1' } })
    const room = playRoom(definition)
    room.ready('p1')
    room.pass(10_000)
    expect(room.room().variables.ended).toBe(1)
    expect(room.recordsOf('p1', 'answers_missing')[0]?.data.components).toEqual([
      { componentId: 'rate', reason: 'timed_out' },
    ])
    expect(room.recordsOf('p1', 'time_limit_reached')).toMatchObject([
      { stateId: 'ask', data: { block: 'work' } },
    ])
  })

  test('is everyone’s own where they move at their own pace', () => {
    const room = playRoom(rounds({}, { matching: { groupSize: 2 }, pacing: 'participant' }))
    room.ready('p1')
    room.pass(5_000)
    room.ready('p2')
    room.pass(5_000)
    expect([room.at('p1'), room.at('p2')]).toEqual(['after', 'ask'])
    room.pass(5_000)
    expect(room.at('p2')).toBe('after')
  })

  test('is the same for everyone where they move together, and does not decide who is awaited', () => {
    const room = playRoom(rounds({}, { matching: { groupSize: 2 } }))
    room.ready('p1')
    room.ready('p2')
    room.respond('p1', 'rate', 1)
    room.pass(10_000)
    expect([room.at('p1'), room.at('p2')]).toEqual(['after', 'after'])
  })

  test('leaves a state that ends earlier by its own deadline to that', () => {
    const own = { end: { on: 'timed' as const, afterMs: 4_000 } }
    const room = playRoom(rounds({}, { states: [state('before'), asking('ask', own), state('after')] }))
    room.ready('p1')
    expect(room.snapshot('p1').state?.deadlineAt).toBe(openedAt + 4_000)
    room.pass(8_000)
    expect(room.snapshot('p1').state).toMatchObject({ round: 3, deadlineAt: openedAt + 10_000 })
    room.pass(2_000)
    expect(room.at()).toBe('after')
  })
})

describe('[RM218,RM219] the time limit of a study', () => {
  test('ends it, unless it leads elsewhere, and applies once', () => {
    const ended = playRoom(study({ onTimeout: { outcome: 'SLOW' } }))
    ended.pass(10_000)
    expect([ended.at(), ...ended.outcomes()]).toEqual([null, 'SLOW'])
    const led = playRoom(study({ onTimeout: { to: 'debriefing' } }))
    led.respond('p1', 'rate', 1)
    led.pass(60_000)
    expect(led.path()).toEqual(['ask', 'again', 'debriefing'])
    led.ready('p1')
    led.ready('p1')
    expect(led.outcomes()).toEqual(['SUCCESS'])
  })

  test('no longer applies to somebody who has come to the state it leads to', () => {
    const room = playRoom(study({ onTimeout: { to: 'debriefing' } }))
    room.respond('p1', 'rate', 1)
    room.respond('p1', 'rate', 1)
    expect(room.due()).toBeNull()
    room.pass(60_000)
    expect(room.at()).toBe('debriefing')
  })

  test('comes before that of a block, and outlives it', () => {
    const both = (studyMs: number) =>
      rounds({}, { timeLimit: { afterMs: studyMs, onTimeout: { outcome: 'SLOW' } } })
    const late = playRoom(both(10_000))
    late.ready('p1')
    late.pass(10_000)
    expect(late.outcomes()).toEqual(['SLOW'])
    const later = playRoom(both(30_000))
    later.ready('p1')
    later.pass(29_000)
    expect(later.at()).toBe('after')
    later.pass(1_000)
    expect(later.outcomes()).toEqual(['SLOW'])
  })

  test('moves by the length of a pause', () => {
    const room = playRoom(study({}))
    room.pass(5_000)
    room.dispatch({ type: 'pause', reason: '', by: 'r' })
    room.pass(60_000)
    room.dispatch({ type: 'resume', by: 'r' })
    expect(room.heard('p1').at(-1)).toMatchObject({ type: 'resumed', deadlineAt: openedAt + 70_000 })
    room.pass(4_000)
    expect(room.at()).toBe('ask')
    room.pass(1_000)
    expect(room.at()).toBeNull()
  })

  test('is not counted down to where the study hides it, unless the state has a deadline of its own', () => {
    const hidden = playRoom(
      study(
        { show: false },
        {
          states: [
            state('one', { components: [component('a', 'text', { text: 'x' })] }),
            state('two', { end: { on: 'button', afterMs: 5_000 } }),
          ],
        },
      ),
    )
    expect(hidden.snapshot('p1').state).toMatchObject({ hidesDeadline: true, deadlineAt: openedAt + 10_000 })
    hidden.ready('p1')
    expect(hidden.snapshot('p1').state?.hidesDeadline).toBeUndefined()
    expect(playRoom(study({})).snapshot('p1').state?.hidesDeadline).toBeUndefined()
  })

  test.each<[what: string, end: NonNullable<State['end']>, more: object, shown: number | undefined]>([
    ['a later deadline of the state', { on: 'button', afterMs: 30_000 }, {}, 30_000],
    ['a later time of their own', { on: 'all_responded', perPersonMs: 20_000 }, {}, 20_000],
    ['both', { on: 'all_responded', afterMs: 30_000, perPersonMs: 20_000 }, {}, 20_000],
    ['nothing else', { on: 'button' }, {}, undefined],
    [
      'a later limit of the block',
      { on: 'button' },
      { blocks: [{ id: 'b', states: ['ask'], rounds: 2, timeLimit: { afterMs: 25_000 } }] },
      25_000,
    ],
    [
      'a later limit of the block that is hidden as well',
      { on: 'button', afterMs: 30_000 },
      { blocks: [{ id: 'b', states: ['ask'], rounds: 2, timeLimit: { afterMs: 25_000, show: false } }] },
      30_000,
    ],
  ])(
    '[RM222] hidden before %s, the page counts down to that, and it moves by a pause',
    (_what, end, more, shown) => {
      const room = playRoom(
        group([asking('ask', { end }), state('last')], {
          timeLimit: { afterMs: 10_000, show: false },
          ...more,
        }),
      )
      const expected = (pausedMs: number) => ({
        deadlineAt: openedAt + pausedMs + 10_000,
        ...(shown !== undefined && { shownDeadlineAt: openedAt + pausedMs + shown }),
      })
      expect(room.snapshot('p1').state).toMatchObject({ hidesDeadline: true, ...expected(0) })
      expect(room.snapshot('p1').state?.shownDeadlineAt).toBe(shown && openedAt + shown)
      room.dispatch({ type: 'pause', reason: '', by: 'r' })
      room.pass(60_000)
      room.dispatch({ type: 'resume', by: 'r' })
      expect(room.heard('p1').at(-1)).toMatchObject({ type: 'resumed', ...expected(60_000) })
      room.pass(10_000)
      expect(room.at()).not.toBe('ask')
    },
  )

  test('hidden after what ends the page for them, it changes nothing', () => {
    const room = playRoom(
      group([asking('ask', { end: { on: 'button', afterMs: 5_000 } }), state('last')], {
        timeLimit: { afterMs: 10_000, show: false },
      }),
    )
    const { state: seen } = room.snapshot('p1')
    expect(seen?.deadlineAt).toBe(openedAt + 5_000)
    expect(seen?.hidesDeadline).toBeUndefined()
  })
})
