import type { State } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { component, group, playRoom, slider, state } from '../test/played-room.ts'

const spot = component('spot', 'hot_spot', { src: '/street.jpg' })
const mark = { marks: [{ x: 10, y: 20 }] }
const asking = (more: Partial<State> = {}) =>
  group([state('ask', { components: [spot, { ...slider, required: false }], ...more }), state('next')])

type Room = ReturnType<typeof playRoom>
const giveUp = (room: Room, participantId: string, componentId = 'spot', more: object = {}) =>
  room.dispatch({
    type: 'cannot_answer',
    participantId,
    actionId: `${participantId} ${componentId}`,
    componentId,
    reason: 'not_loaded',
    ...more,
  })
const missingOf = (room: Room, who: string) =>
  room.recordsOf(who, 'answers_missing').map(({ data }) => data.components)

describe('[R67,RM244] A picture that does not load', () => {
  it('holds nobody: its question is awaited no longer, and missing for this reason', () => {
    const room = playRoom(asking())
    expect(room.ready('p1')).toBe('ACTION_REFUSED')
    giveUp(room, 'p1')
    room.ready('p1')
    room.respond('p2', 'spot', mark)
    room.ready('p2')
    expect(room.at()).toBe('next')
    expect(room.recordsOf('p1', 'cannot_answer')).toMatchObject([
      { stateId: 'ask', componentId: 'spot', data: { reason: 'not_loaded', visit: 1 } },
    ])
    expect(missingOf(room, 'p1')).toEqual([
      [
        { componentId: 'spot', reason: 'not_loaded' },
        { componentId: 'rate', reason: 'skipped' },
      ],
    ])
    expect(missingOf(room, 'p2')).toEqual([[{ componentId: 'rate', reason: 'skipped' }]])
  })

  it('does not hold a state that waits for all answers, nor one that waits for any of them', () => {
    const all = playRoom(asking({ components: [spot], end: { on: 'all_responded' } }))
    all.respond('p1', 'spot', mark)
    expect(all.at()).toBe('ask')
    giveUp(all, 'p2')
    expect(all.at()).toBe('next')

    const any = playRoom(asking({ components: [spot], end: { on: 'any_responded' } }))
    giveUp(any, 'p1')
    expect(any.at()).toBe('ask')
    giveUp(any, 'p2')
    expect(any.at()).toBe('next')
  })

  it('can still be answered once it has loaded after all', () => {
    const room = playRoom(asking())
    giveUp(room, 'p1')
    room.respond('p1', 'spot', mark)
    expect(giveUp(room, 'p1', 'spot', { actionId: 'again' })).toBe('ACTION_REFUSED')
    for (const who of ['p1', 'p2']) {
      giveUp(room, who)
      room.ready(who)
    }
    expect(missingOf(room, 'p1')).toEqual([[{ componentId: 'rate', reason: 'skipped' }]])
  })

  it('counts for one visit, and for nothing that can be answered without a picture', () => {
    const room = playRoom(
      group([state('ask', { components: [spot, slider], next: [{ to: 'ask', atMost: 1 }] }), state('next')]),
    )
    expect(giveUp(room, 'p1', 'rate')).toBe('ACTION_REFUSED')
    expect(giveUp(room, 'p1', 'spot', { visit: 2 })).toBe('ACTION_REFUSED')
    for (const who of ['p1', 'p2']) {
      giveUp(room, who)
      giveUp(room, who, 'spot', { actionId: `${who} repeats` })
      room.respond(who, 'rate', 3)
      room.ready(who)
    }
    expect(room.recordsOf('p1', 'cannot_answer')).toHaveLength(1)
    room.respond('p1', 'rate', 3)
    expect(room.ready('p1')).toBe('ACTION_REFUSED')
  })

  it('[RM1] is the same after a replay', () => {
    const room = playRoom(asking())
    giveUp(room, 'p1')
    expect(playAgain(room)).toEqual(room.room())
  })
})
