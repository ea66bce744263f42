import { describe, expect, it } from 'vitest'
import { askingRoom, type Policy } from '../test/asking-room.ts'
import { group, playRoom, slider, state } from '../test/played-room.ts'

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
