import { describe, expect, it } from 'vitest'
import { group, playRoom, slider, state } from '../test/played-room.ts'

const by = 'researcher'
const talking = () =>
  playRoom(group([state('a', { components: [slider, { id: 'talk', type: 'chat' }] }), state('b')]))

describe('Repeated actions, and rooms that have ended', () => {
  it('[RM49] a repeated action gets the answer of the first and changes nothing', () => {
    const room = talking()
    const actions = [
      () => room.respond('p1', 'rate', 5, { actionId: 'one' }),
      () => room.say('p1', 'hello', { actionId: 'two' }),
      () => room.ready('p1', { actionId: 'three' }),
    ]
    for (const act of actions) {
      const first = act()
      room.connect('p2')
      room.say('p2', 'in between')
      const before = JSON.stringify(room.room())
      expect(act()).toBe(first)
      expect(JSON.stringify(room.room())).toBe(before)
    }
    expect(room.recordsOf('p1', 'component_response')).toHaveLength(1)
    expect(room.recordsOf('p1', 'chat_message')).toHaveLength(1)
    expect(room.recordsOf('p1', 'ready')).toHaveLength(1)
  })

  it('[RM49] … even after the room has moved on, and with a different body', () => {
    const room = talking()
    const first = room.respond('p1', 'rate', 5, { actionId: 'one' })
    room.dispatch({ type: 'advance', by })
    expect(room.respond('p1', 'rate', 99, { actionId: 'one', stateId: 'a' })).toBe(first)
  })

  it('[RM49] ids belong to the participant who chose them', () => {
    const room = talking()
    room.respond('p1', 'rate', 5, { actionId: 'one' })
    room.respond('p2', 'rate', 6, { actionId: 'one' })
    expect(room.snapshot('p2').self.responses).toEqual({ rate: 6 })
  })

  it('[RM49] a refused action may be tried again under its id', () => {
    const room = talking()
    expect(room.ready('p1', { actionId: 'one' })).toBe('ACTION_REFUSED')
    room.respond('p1', 'rate', 5)
    expect(room.ready('p1', { actionId: 'one' })).toBeTypeOf('number')
  })

  it('[RM49] pressing the button again under a new id is recorded once', () => {
    const room = talking()
    room.respond('p1', 'rate', 5)
    room.ready('p1')
    room.ready('p1')
    expect(room.recordsOf('p1', 'ready')).toHaveLength(1)
  })

  it('[RM50] an ended room refuses every action but repeats its answers', () => {
    const room = talking()
    const first = room.respond('p1', 'rate', 5, { actionId: 'one' })
    room.dispatch({ type: 'end', reason: 'over', by })
    expect(room.respond('p1', 'rate', 5, { actionId: 'one' })).toBe(first)
    expect(room.respond('p1', 'rate', 5)).toBe('ROOM_ENDED')
    expect(room.say('p1', 'hi')).toBe('ROOM_ENDED')
    expect(room.ready('p1')).toBe('ROOM_ENDED')
    expect(room.leave('p1')).toBe('ROOM_ENDED')
    for (const type of ['advance', 'resume'] as const) expect(room.dispatch({ type, by })).toBe('ROOM_ENDED')
    expect(room.dispatch({ type: 'pause', reason: '', by })).toBe('ROOM_ENDED')
    expect(room.dispatch({ type: 'end', reason: '', by })).toBe('ROOM_ENDED')
    expect(room.dispatch({ type: 'announce', text: 'x', to: null, by })).toBe('ROOM_ENDED')
    expect(room.dispatch({ type: 'remove', participantId: 'p1', outcome: 'X', by })).toBe('ROOM_ENDED')
  })

  it('[RM50] connections and the clock change nothing in it', () => {
    const room = talking()
    room.dispatch({ type: 'end', reason: 'over', by })
    const before = JSON.stringify(room.room())
    room.disconnect('p1')
    room.connect('p1')
    room.dispatch({ type: 'tick' })
    room.dispatch({ type: 'restored' })
    expect(JSON.stringify(room.room())).toBe(before)
    expect(room.due()).toBeNull()
    expect(room.snapshot('p1')).toMatchObject({ status: 'ended', state: null, globalComponents: [] })
  })
})
