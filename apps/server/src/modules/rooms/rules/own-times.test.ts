import type { ExperimentDefinition } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { group, openedAt, playRoom, slider, state } from '../test/played-room.ts'

const study = (more: Partial<ExperimentDefinition> = {}, end: object = {}) =>
  group(
    [
      state('ask', {
        components: [slider],
        end: { on: 'all_responded', perPersonMs: 10_000, ...end },
        onEnd: { ended: 'ended + 1' },
      }),
      state('after'),
    ],
    { variables: { ended: { scope: 'participant', initial: 0 } }, dropout: { policy: 'wait' }, ...more },
  )

describe('[RM222] the time of each participant', () => {
  test('begins when they are first there, so whoever comes late has all of it', () => {
    const room = playRoom(study(), { isConnected: false })
    room.connect('p1')
    room.pass(6_000)
    room.connect('p2')
    expect(room.snapshot('p1').state?.deadlineAt).toBe(openedAt + 10_000)
    expect(room.snapshot('p2').state?.deadlineAt).toBe(openedAt + 16_000)
    room.pass(4_000)
    expect(room.snapshot('p1').state).toMatchObject({ id: 'ask', isWaiting: true, components: [] })
    expect(room.snapshot('p2').state).toMatchObject({ id: 'ask', isWaiting: false })
    expect(room.respond('p1', 'rate', 1)).toBe('ACTION_REFUSED')
    room.respond('p2', 'rate', 1)
    expect([room.at('p1'), room.at('p2')]).toEqual(['after', 'after'])
    expect(playAgain(room)).toEqual(room.room())
  })

  test('replaces their page when it is over, and names what they have not answered', () => {
    const room = playRoom(study())
    room.pass(10_000)
    expect(room.at()).toBe('after')
    const told = room.heard('p1').filter(({ type }) => type === 'texts')
    expect(told).toMatchObject([{ state: { id: 'ask', isWaiting: true } }])
    expect(room.recordsOf('p1', 'own_time_over')).toHaveLength(1)
    expect(room.recordsOf('p1', 'answers_missing').map(({ data }) => data.components)).toEqual([
      [{ componentId: 'rate', reason: 'timed_out' }],
    ])
    expect(room.room().seats.map(({ variables }) => variables.ended)).toEqual([1, 1])
  })

  test('goes on while they are away, and begins only once in a visit', () => {
    const room = playRoom(study({ dropout: { policy: 'wait', graceMs: 60_000 } }))
    room.respond('p2', 'rate', 1)
    room.pass(5_000)
    room.disconnect('p1')
    room.pass(2_000)
    room.connect('p1')
    expect(room.snapshot('p1').state?.deadlineAt).toBe(openedAt + 10_000)
    room.pass(3_000)
    expect(room.at()).toBe('after')
    expect(room.due()).toBeNull()
  })

  test('moves by the length of a pause, also of somebody who comes during it', () => {
    const room = playRoom(study(), { isConnected: false })
    room.connect('p1')
    room.pass(4_000)
    room.dispatch({ type: 'pause', reason: '', by: 'r' })
    room.pass(10_000)
    room.connect('p2')
    room.pass(10_000)
    room.dispatch({ type: 'resume', by: 'r' })
    expect(room.snapshot('p1').state?.deadlineAt).toBe(openedAt + 30_000)
    expect(room.snapshot('p2').state?.deadlineAt).toBe(openedAt + 34_000)
  })

  test('ends with the state at its deadline, and is new in each visit', () => {
    const room = playRoom(
      study({ blocks: [{ id: 'twice', states: ['ask'], rounds: 2 }] }, { afterMs: 4_000 }),
    )
    expect(room.snapshot('p1').state?.deadlineAt).toBe(openedAt + 4_000)
    room.pass(4_000)
    expect(room.snapshot('p1').state?.round).toBe(2)
    room.pass(4_000)
    expect(room.at()).toBe('after')
    expect(room.recordsOf('p1', 'own_time_over')).toEqual([])
  })

  test('is everyone’s own where they move at their own pace', () => {
    const room = playRoom(study({ pacing: 'participant' }))
    room.respond('p1', 'rate', 1)
    room.pass(10_000)
    expect([room.at('p1'), room.at('p2')]).toEqual(['after', 'after'])
  })
})
