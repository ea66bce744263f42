import { describe, expect, it } from 'vitest'
import { ask, askingRoom, graceMs, type Policy } from '../test/asking-room.ts'
import { group, playRoom, slider, state } from '../test/played-room.ts'

describe('[RM96] who is away at the end', () => {
  const timed = { on: 'timed' as const, afterMs: 1_000 }
  const atMost = { on: 'all_responded' as const, afterMs: 1_000 }

  it.each<Policy>(['wait', 'continue', 'replace_with_agent'])(
    '%s: has abandoned the study if they never came, even within the grace period',
    (policy) => {
      const room = playRoom(
        group([state('ask', { components: [slider], end: atMost })], {
          matching: { groupSize: 3 },
          dropout: { policy, graceMs },
        }),
        { isConnected: false },
      )
      for (const who of ['p1', 'p2']) room.connect(who)
      for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
      room.pass(1_000)
      expect(room.room().status).toEqual({ kind: 'ended', reason: 'finished' })
      expect(room.outcomes()).toEqual(['SUCCESS', 'SUCCESS', 'ABANDONED'])
      expect(room.recordsOf('p3', 'finished')).toMatchObject([{ data: { outcome: 'ABANDONED' } }])
    },
  )

  it('continue: has abandoned it if the others ended a state that still asked something of them', () => {
    const room = askingRoom('continue')
    room.respond('p3', 'rate', 1)
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    expect(room.at()).toBe('after')
    room.disconnect('p3')
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.outcomes()).toEqual(['SUCCESS', 'SUCCESS', 'ABANDONED'])
  })

  it('alone: has abandoned it when only the clock took them to the end', () => {
    const room = playRoom({
      states: [state('read', { end: timed }), state('ask', { components: [slider], end: atMost })],
    })
    room.disconnect('p1')
    room.pass(2_000)
    expect(room.outcomes()).toEqual(['ABANDONED'])
  })

  it.each<Policy>(['wait', 'continue'])(
    '%s: keeps SUCCESS after answering everything, however long the others take',
    (policy) => {
      for (const thinkingMs of [1, graceMs + 1]) {
        const room = playRoom(group([state('ask', ask)], { dropout: { policy, graceMs } }))
        room.respond('p1', 'rate', 1)
        room.disconnect('p1')
        room.pass(thinkingMs)
        room.respond('p2', 'rate', 1)
        expect(room.outcomes()).toEqual(['SUCCESS', 'SUCCESS'])
      }
    },
  )

  it('keeps SUCCESS if they had pressed the button, or if the clock ended what they had answered', () => {
    const pressed = playRoom(group([state('only')]))
    pressed.ready('p1')
    pressed.disconnect('p1')
    pressed.ready('p2')
    expect(pressed.outcomes()).toEqual(['SUCCESS', 'SUCCESS'])
    for (const end of [timed, atMost]) {
      const answered = playRoom(group([state('ask', { components: [slider], end })]))
      answered.respond('p1', 'rate', 1)
      answered.disconnect('p1')
      answered.pass(1_000)
      expect(answered.outcomes()).toEqual(['SUCCESS', 'SUCCESS'])
    }
  })

  it('has abandoned a timed state that they answered and then stayed away from past the grace period', () => {
    const end = { on: 'timed' as const, afterMs: graceMs + 1 }
    const room = playRoom({
      states: [state('ask', { components: [slider], end })],
      dropout: { policy: 'wait', graceMs },
    })
    room.respond('p1', 'rate', 1)
    room.disconnect('p1')
    room.pass(graceMs + 1)
    expect(room.outcomes()).toEqual(['ABANDONED'])
  })

  it('keeps SUCCESS if they came back before the end, whatever they missed', () => {
    const room = askingRoom('continue')
    room.disconnect('p3')
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    room.connect('p3')
    for (const who of ['p1', 'p2', 'p3']) room.ready(who)
    expect(room.outcomes()).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
  })

  it('keeps SUCCESS if it was the server that lost the connection', () => {
    const room = playRoom(group([state('only', { end: timed })], { dropout: { policy: 'wait', graceMs } }))
    room.disconnect('p2')
    room.passUnnoticed(1_000)
    room.dispatch({ type: 'restored' })
    expect(room.outcomes()).toEqual(['SUCCESS', 'ABANDONED'])
  })

  it('end: has not lost a partner if they never came', () => {
    const room = playRoom(
      group([state('only')], { matching: { groupSize: 3 }, dropout: { policy: 'end', graceMs } }),
      { isConnected: false },
    )
    for (const who of ['p1', 'p2']) room.connect(who)
    room.leave('p1')
    expect(room.outcomes()).toEqual(['ABANDONED', 'PARTNER_LEFT', 'ABANDONED'])
  })
})
