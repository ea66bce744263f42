import { limits } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { ask, askingRoom, graceMs, type Policy } from '../test/asking-room.ts'
import { group, openedAt, playRoom, state } from '../test/played-room.ts'

describe('When somebody drops out', () => {
  it('[RM40] wait: the others wait during the grace period', () => {
    const room = askingRoom('wait')
    room.disconnect('p3')
    expect(room.snapshot('p1').others.at(-1)).toMatchObject({
      alias: 'P3',
      presence: 'away',
      status: 'active',
    })
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    room.pass(graceMs - 1)
    expect(room.at()).toBe('ask')
    room.connect('p3')
    room.pass(60_000)
    expect(room.at()).toBe('ask')
    room.respond('p3', 'rate', 1)
    expect(room.at()).toBe('after')
    expect(room.statuses()).toEqual(['active', 'active', 'active'])
  })

  it('[RM40] wait: after it they continue', () => {
    const room = askingRoom('wait')
    room.disconnect('p3')
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    expect(room.due()).toBe(openedAt + graceMs)
    room.pass(graceMs)
    expect([room.at(), room.seat('p3').status]).toEqual(['after', 'dropped'])
    expect(room.recordsOf('p3', 'dropped')).toMatchObject([{ data: { policy: 'wait' } }])
  })

  it('[RM41] continue: the others do not wait even during the grace period', () => {
    const room = askingRoom('continue')
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    expect(room.at()).toBe('ask')
    room.disconnect('p3')
    expect([room.at(), room.seat('p3').status]).toEqual(['after', 'active'])
  })

  it('[RM41] continue: a participant who returns within the grace period continues where the others are', () => {
    const room = askingRoom('continue')
    room.disconnect('p3')
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    room.pass(graceMs - 1)
    room.connect('p3')
    room.pass(graceMs)
    expect([room.at('p3'), room.seat('p3').status]).toEqual(['after', 'active'])
  })

  it('[RM41] continue: after the grace period the seat is dropped, and the room ends without it', () => {
    const room = askingRoom('continue')
    room.disconnect('p3')
    room.pass(graceMs)
    expect(room.seat('p3').status).toBe('dropped')
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.outcomes()).toEqual(['SUCCESS', 'SUCCESS', 'ABANDONED'])
  })

  it('[RM42] replace_with_agent: awaited during the grace period, then the seat is marked and not given back', () => {
    const room = askingRoom('replace_with_agent')
    room.disconnect('p3')
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    room.pass(graceMs - 1)
    expect(room.at()).toBe('ask')
    room.pass(1)
    expect(room.seat('p3')).toMatchObject({ status: 'replaced', outcome: 'ABANDONED' })
    expect(room.at()).toBe('after')
    room.connect('p3')
    expect(room.seat('p3').status).toBe('replaced')
    expect(room.snapshot('p3')).toMatchObject({ state: null, self: { outcome: 'ABANDONED' } })
    expect(room.ready('p3')).toBe('ROOM_ENDED')
  })

  it('[RM43] end: nothing happens during the grace period; after it the room ends for everyone', () => {
    const room = askingRoom('end')
    room.disconnect('p3')
    room.pass(graceMs - 1)
    expect(room.room().status.kind).toBe('running')
    room.pass(1)
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'partner_dropped' })
    expect(room.outcomes()).toEqual(['PARTNER_LEFT', 'PARTNER_LEFT', 'ABANDONED'])
    expect(room.heard('p1')).toContainEqual(
      expect.objectContaining({ type: 'finished', outcome: 'PARTNER_LEFT' }),
    )
  })

  it.each<Policy>(['wait', 'continue'])('[RM44] %s: a dropped participant may come back', (policy) => {
    const room = askingRoom(policy)
    room.disconnect('p3')
    room.pass(graceMs)
    room.connect('p3')
    expect(room.seat('p3')).toMatchObject({ status: 'active', presence: { kind: 'connected' } })
    expect(room.heard('p1').slice(-2)).toMatchObject([
      { type: 'seat', alias: 'P3', status: 'active' },
      { type: 'presence', alias: 'P3', presence: 'connected' },
    ])
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    expect(room.at()).toBe('ask')
    room.respond('p3', 'rate', 1)
    expect(room.at('p3')).toBe('after')
  })

  it.each<Policy>(['wait', 'continue', 'replace_with_agent'])(
    '[RM45] %s: nobody waits for a participant who leaves',
    (policy) => {
      const room = askingRoom(policy)
      for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
      room.leave('p3')
      expect(room.at()).toBe('after')
      expect(room.seat('p3')).toMatchObject({ status: 'left', outcome: 'ABANDONED' })
      expect(room.heard('p3')).toContainEqual(
        expect.objectContaining({ type: 'finished', outcome: 'ABANDONED' }),
      )
      room.disconnect('p3')
      room.connect('p3')
      expect(room.seat('p3').status).toBe('left')
    },
  )

  it('[RM45] end: a participant who leaves ends the room for the others', () => {
    const room = askingRoom('end')
    room.leave('p1')
    expect(room.outcomes()).toEqual(['ABANDONED', 'PARTNER_LEFT', 'PARTNER_LEFT'])
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'partner_left' })
  })

  it('[RM45] the room ends when the last one has left', () => {
    const room = askingRoom('wait')
    for (const who of ['p1', 'p2', 'p3']) room.leave(who)
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'everyone_done' })
  })

  it.each<Policy>(['wait', 'continue', 'replace_with_agent', 'end'])(
    '[RM46] %s: a solo participant may come back as long as a session lasts',
    (policy) => {
      const room = playRoom({ states: [state('a')], dropout: { policy, graceMs } })
      room.disconnect('p1')
      room.pass(limits.sessionLifetimeMs - 1)
      room.connect('p1')
      expect([room.at(), room.seat('p1').status]).toEqual(['a', 'active'])
    },
  )

  it('[RM46,E25] a room that everyone has been away from for that long is abandoned', () => {
    const room = askingRoom('wait')
    room.disconnect('p1')
    room.pass(1_000)
    for (const who of ['p2', 'p3']) room.disconnect(who)
    room.pass(limits.sessionLifetimeMs - 1)
    expect(room.room().status.kind).toBe('running')
    room.pass(1)
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'abandoned' })
    expect(room.outcomes()).toEqual(['ABANDONED', 'ABANDONED', 'ABANDONED'])
    for (const who of ['p1', 'p2', 'p3'])
      expect(room.recordsOf(who, 'finished')).toMatchObject([{ data: { outcome: 'ABANDONED' } }])
  })

  it('[RM47] a participant who never connects is treated like one who disconnected', () => {
    const room = playRoom(
      group([state('ask', ask), state('after')], { dropout: { policy: 'wait', graceMs } }),
      {
        isConnected: false,
      },
    )
    room.connect('p1')
    room.respond('p1', 'rate', 1)
    expect(room.at()).toBe('ask')
    room.pass(graceMs)
    expect([room.at(), room.seat('p2').status]).toEqual(['after', 'dropped'])
  })

  it('[RM47] the grace period starts again with each absence', () => {
    const room = askingRoom('end')
    room.disconnect('p1')
    room.pass(graceMs - 1)
    room.connect('p1')
    room.pass(1_000)
    room.disconnect('p1')
    room.pass(graceMs - 1)
    expect(room.room().status.kind).toBe('running')
    room.pass(1)
    expect(room.room().status.kind).toBe('ended')
  })

  it('[RM48] after a restart everyone is away, with the whole grace period to come back', () => {
    const room = askingRoom('end')
    room.disconnect('p3')
    room.passUnnoticed(60_000)
    room.dispatch({ type: 'restored' })
    room.pass(graceMs - 1)
    expect(room.room().status.kind).toBe('running')
    for (const who of ['p1', 'p2', 'p3']) room.connect(who)
    room.pass(60_000)
    expect([room.at(), ...room.statuses()]).toEqual(['ask', 'active', 'active', 'active'])
  })

  it('[RM48] a deadline that passed in the meantime is applied at once; others stay where they were', () => {
    const timed = (afterMs: number) => ({ on: 'timed' as const, afterMs })
    const room = playRoom({
      states: [state('a', { end: timed(1_000) }), state('b', { end: timed(2_000) }), state('c')],
    })
    room.passUnnoticed(1_500)
    room.dispatch({ type: 'restored' })
    expect(room.snapshot('p1').state).toMatchObject({ id: 'b', deadlineAt: openedAt + 3_500 })
    room.dispatch({ type: 'restored' })
    expect(room.due()).toBe(openedAt + 3_500)
  })
})
