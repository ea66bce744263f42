import { limits } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { group, openedAt, playRoom, slider, state } from '../test/played-room.ts'

type Policy = 'wait' | 'continue' | 'replace_with_agent' | 'end'
const graceMs = 5_000
const ask = { components: [slider], end: { on: 'all_responded' as const } }
const askingRoom = (policy: Policy, more: object = {}) =>
  playRoom(
    group([state('ask', ask), state('after')], {
      matching: { groupSize: 3 },
      dropout: { policy, graceMs },
      ...more,
    }),
  )

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

describe('When somebody withdraws their consent', () => {
  const withdrawn = (participantId: string) => ({ type: 'withdrawn', participantId }) as const
  const counting = { variables: { gone: { compute: 'count(responses.rate) * 2' } } }

  it.each<Policy>(['wait', 'continue', 'replace_with_agent'])(
    '[RM97] %s: they leave with NO_CONSENT, and nothing more is recorded for them',
    (policy) => {
      const room = askingRoom(policy, counting)
      for (const who of ['p3', 'p2']) room.respond(who, 'rate', 1)
      const before = room.records.length
      room.dispatch(withdrawn('p3'))
      room.disconnect('p3')
      room.connect('p3')
      room.respond('p1', 'rate', 1)
      for (const who of ['p1', 'p2']) room.ready(who)
      expect(room.outcomes()).toEqual(['SUCCESS', 'SUCCESS', 'NO_CONSENT'])
      expect(room.seat('p3').status).toBe('left')
      const later = room.records.slice(before)
      expect(later.filter(({ participantId }) => participantId === 'p3')).toEqual([])
      expect(room.heard('p3').at(-1)).toMatchObject({ type: 'finished', outcome: 'NO_CONSENT' })
      expect(room.heard('p1')).toContainEqual(
        expect.objectContaining({ type: 'seat', alias: 'P3', status: 'left' }),
      )
    },
  )

  it('[RM97] what the withdrawal itself changes in the room is recorded with somebody else', () => {
    const room = playRoom(
      group([state('ask', { components: [slider], end: { on: 'all_responded' }, onEnd: { done: 'true' } })], {
        variables: { done: false },
      }),
    )
    room.respond('p2', 'rate', 1)
    const before = room.records.length
    room.dispatch(withdrawn('p1'))
    expect(room.outcomes()).toEqual(['NO_CONSENT', 'SUCCESS'])
    expect(room.records.slice(before).map(({ participantId, type }) => [participantId, type])).toEqual([
      ['p2', 'variables_changed'],
      ['p2', 'finished'],
    ])
  })

  it('[RM97] with policy `end` the room ends, as when somebody leaves; whoever had finished keeps their outcome', () => {
    const room = askingRoom('end')
    room.dispatch(withdrawn('p1'))
    for (const who of ['p1', 'p2']) room.dispatch(withdrawn(who))
    expect(room.outcomes()).toEqual(['NO_CONSENT', 'PARTNER_LEFT', 'PARTNER_LEFT'])
  })
})

describe('When somebody completes before the room is done with them', () => {
  const completed = (participantId: string, outcome = 'TECHNICAL') =>
    ({ type: 'completed', participantId, outcome }) as const

  it('[RM79] nobody waits for them, and they do not come back', () => {
    const room = askingRoom('wait')
    for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
    expect(room.at()).toBe('ask')
    room.dispatch(completed('p3'))
    expect([room.at(), room.seat('p3').status, room.seat('p3').outcome]).toEqual([
      ...['after', 'finished', 'TECHNICAL'],
    ])
    expect(room.heard('p1')).toContainEqual(
      expect.objectContaining({ type: 'seat', alias: 'P3', status: 'finished' }),
    )
    room.connect('p3')
    expect(room.statuses()).toEqual(['active', 'active', 'finished'])
  })

  it('[RM79] with policy `end` the room ends, as when somebody leaves', () => {
    const room = askingRoom('end')
    room.dispatch(completed('p3'))
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'partner_left' })
    expect(room.outcomes()).toEqual(['PARTNER_LEFT', 'PARTNER_LEFT', 'TECHNICAL'])
  })

  it('[RM79] the room ends with the last one; those who had finished keep their outcome', () => {
    const room = askingRoom('wait')
    room.leave('p1')
    for (const who of ['p1', 'p2', 'p3']) room.dispatch(completed(who, 'SUCCESS'))
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'everyone_done' })
    expect(room.outcomes()).toEqual(['ABANDONED', 'SUCCESS', 'SUCCESS'])
    expect(room.typesHeard('p3').filter((type) => type === 'finished')).toHaveLength(1)
  })
})
