import { describe, expect, it } from 'vitest'
import { group, openedAt, playRoom, slider, state } from '../test/played-room.ts'

const by = 'researcher'
const timed = { on: 'timed' as const, afterMs: 1_000 }
const timedRoom = (more: object = {}) => playRoom(group([state('a', { end: timed }), state('b')], more))

describe('What a researcher does', () => {
  it('[RM35] a paused room accepts nothing from participants but leaving', () => {
    const room = playRoom(group([state('a', { components: [slider, { id: 'talk', type: 'chat' }] })]))
    room.dispatch({ type: 'pause', reason: 'fire alarm', by })
    expect(room.snapshot('p1').status).toBe('paused')
    expect(room.heard('p2').at(-1)).toMatchObject({ type: 'paused', reason: 'fire alarm' })
    expect(room.respond('p1', 'rate', 1)).toBe('ROOM_PAUSED')
    expect(room.say('p1', 'hi')).toBe('ROOM_PAUSED')
    expect(room.ready('p1')).toBe('ROOM_PAUSED')
    expect(room.leave('p1')).toBeTypeOf('number')
  })

  it('[RM35] time stands still: deadlines move by the length of the pause', () => {
    const room = timedRoom()
    room.pass(400)
    room.dispatch({ type: 'pause', reason: '', by })
    expect(room.due()).toBeNull()
    room.pass(5_000)
    expect(room.at()).toBe('a')
    room.dispatch({ type: 'resume', by })
    expect(room.heard('p1').at(-1)).toMatchObject({ type: 'resumed', deadlineAt: openedAt + 6_000 })
    expect(room.snapshot('p2').state?.deadlineAt).toBe(openedAt + 6_000)
    room.pass(599)
    expect(room.at()).toBe('a')
    room.pass(1)
    expect(room.at()).toBe('b')
  })

  it('[RM35] pausing twice is pausing once, and resuming a running room does nothing', () => {
    const room = timedRoom()
    room.dispatch({ type: 'resume', by })
    room.dispatch({ type: 'pause', reason: '', by })
    room.pass(100)
    room.dispatch({ type: 'pause', reason: '', by })
    room.pass(100)
    room.dispatch({ type: 'resume', by })
    expect(room.snapshot('p1').state?.deadlineAt).toBe(openedAt + 1_200)
    expect(room.typesHeard('p1').filter((type) => type === 'paused')).toHaveLength(1)
  })

  it('[RM35] with participant pacing every deadline moves, each told to its owner', () => {
    const room = timedRoom({ pacing: 'participant' })
    room.dispatch({ type: 'pause', reason: '', by })
    room.pass(300)
    room.dispatch({ type: 'resume', by })
    for (const who of ['p1', 'p2'])
      expect(room.heard(who).filter(({ type }) => type === 'resumed')).toMatchObject([
        { deadlineAt: openedAt + 1_300 },
      ])
  })

  it('[RM36] advance ends the current state, with its assignments, for everyone', () => {
    const states = [state('a', { components: [slider], onEnd: { done: 'done + 1' } }), state('b')]
    const room = playRoom(group(states, { variables: { done: 0 } }))
    room.dispatch({ type: 'advance', by })
    expect([room.at('p1'), room.at('p2'), room.room().variables.done]).toEqual(['b', 'b', 1])
    room.dispatch({ type: 'advance', by })
    expect(room.outcomes()).toEqual(['SUCCESS', 'SUCCESS'])
    expect(room.dispatch({ type: 'advance', by })).toBe('ROOM_ENDED')
  })

  it('[RM36] advance moves everyone on by one step when they move at their own pace', () => {
    const room = playRoom(group([state('a'), state('b'), state('c')], { pacing: 'participant' }))
    room.ready('p1')
    room.dispatch({ type: 'advance', by })
    expect([room.at('p1'), room.at('p2')]).toEqual(['c', 'b'])
  })

  it('[RM36] a paused room is not advanced, and says so', () => {
    const room = timedRoom()
    room.dispatch({ type: 'pause', reason: '', by })
    expect(room.dispatch({ type: 'advance', by })).toBe('ACTION_REFUSED')
  })

  it('[RM37] an announcement reaches everyone and everyone’s record', () => {
    const room = timedRoom()
    room.dispatch({ type: 'announce', text: 'Five minutes left.', to: null, by })
    for (const who of ['p1', 'p2']) {
      expect(room.heard(who).at(-1)).toMatchObject({ type: 'announcement', text: 'Five minutes left.' })
      expect(room.recordsOf(who, 'announcement')).toHaveLength(1)
      expect(room.snapshot(who).messages).toMatchObject([{ from: 'researcher', componentId: null }])
    }
  })

  it('[RM37] what is said to one participant is read by them alone', () => {
    const room = timedRoom()
    room.dispatch({ type: 'announce', text: 'Only you.', to: 'p1', by })
    expect(room.snapshot('p1').messages).toHaveLength(1)
    expect(
      JSON.stringify([room.heard('p2'), room.snapshot('p2'), room.recordsOf('p2', 'announcement')]),
    ).not.toContain('Only you.')
    expect(room.dispatch({ type: 'announce', text: 'Hello?', to: 'p9', by })).toBe('NOT_FOUND')
  })

  it('[RM38] a removed participant gets their code and is no longer awaited', () => {
    const room = playRoom(group([state('a'), state('b')]))
    room.ready('p2')
    room.dispatch({ type: 'remove', participantId: 'p1', outcome: 'SCREENED_OUT', by })
    expect(room.seat('p1')).toMatchObject({ status: 'removed', outcome: 'SCREENED_OUT' })
    expect(room.heard('p1')).toContainEqual(
      expect.objectContaining({ type: 'finished', outcome: 'SCREENED_OUT' }),
    )
    expect(room.heard('p2')).toContainEqual(
      expect.objectContaining({ type: 'seat', alias: 'P1', status: 'removed' }),
    )
    expect(room.at('p2')).toBe('b')
    expect(room.snapshot('p1')).toMatchObject({
      state: null,
      self: { status: 'removed', outcome: 'SCREENED_OUT' },
    })
    expect(room.ready('p1')).toBe('ROOM_ENDED')
  })

  it('[RM38] a removed participant does not come back, nor is removed twice', () => {
    const room = playRoom(group([state('a')]))
    const remove = { type: 'remove' as const, participantId: 'p1', outcome: 'TECHNICAL', by }
    room.dispatch(remove)
    room.disconnect('p1')
    room.connect('p1')
    expect(room.seat('p1').status).toBe('removed')
    expect(room.dispatch(remove)).toBe('ACTION_REFUSED')
    expect(room.dispatch({ ...remove, participantId: 'p9' })).toBe('NOT_FOUND')
  })

  it('[RM38] removing the last participant ends the room; policy `end` is for those who leave on their own', () => {
    const room = playRoom(group([state('a')], { dropout: { policy: 'end' } }))
    room.dispatch({ type: 'remove', participantId: 'p1', outcome: 'TECHNICAL', by })
    expect(room.room().status.kind).toBe('running')
    room.dispatch({ type: 'remove', participantId: 'p2', outcome: 'TECHNICAL', by })
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'everyone_done' })
  })

  it('[RM39] end applies to everyone still in, and tells each what to complete with', () => {
    const room = playRoom(group([state('a')], { matching: { groupSize: 3 } }))
    room.leave('p3')
    room.dispatch({ type: 'end', reason: 'power cut', by })
    expect(room.outcomes()).toEqual(['TECHNICAL', 'TECHNICAL', 'ABANDONED'])
    expect(room.heard('p1').slice(-2)).toMatchObject([
      { type: 'finished', outcome: 'TECHNICAL' },
      { type: 'room_ended', reason: 'power cut' },
    ])
    expect(room.recordsOf('p2', 'finished')).toMatchObject([
      { data: { outcome: 'TECHNICAL', reason: 'power cut' } },
    ])
  })

  const researcher = 'res_1'
  const notes = (room: ReturnType<typeof playRoom>, who: string) =>
    room.records.filter((one) => one.participantId === who && one.data.researcher === researcher)

  it('[R91,RM155] whatever a researcher does is in the record of everyone whom it concerns, with where they were', () => {
    const room = timedRoom({ matching: { groupSize: 3 } })
    room.dispatch({ type: 'pause', reason: 'fire alarm', by, researcher })
    room.dispatch({ type: 'pause', reason: 'again', by, researcher })
    room.pass(250)
    room.dispatch({ type: 'resume', by, researcher })
    room.dispatch({ type: 'announce', text: 'Only you.', to: 'p2', by, researcher })
    room.dispatch({ type: 'remove', participantId: 'p3', outcome: 'TECHNICAL', by, researcher })
    room.dispatch({ type: 'advance', by, researcher })
    room.dispatch({ type: 'end', reason: 'power cut', by, researcher })
    const told = (who: string) => notes(room, who).map(({ type, stateId, data }) => [type, stateId, data])
    const paused = [
      ['room_paused', 'a', { researcher, reason: 'fire alarm' }],
      ['room_resumed', 'a', { researcher, pausedMs: 250 }],
    ]
    const removed = ['participant_removed', 'a', { researcher, target: 'P3', outcome: 'TECHNICAL' }]
    const ended = [
      ['state_advanced', 'a', { researcher }],
      ['room_ended', 'b', { researcher, reason: 'power cut' }],
    ]
    expect(told('p1')).toEqual([...paused, removed, ...ended])
    expect(told('p3')).toEqual([...paused, removed])
    const message = [
      'researcher_message',
      'a',
      { researcher, text: 'Only you.', target: 'P2', messageId: 'm1' },
    ]
    expect(told('p2')).toEqual([...paused, message, removed, ...ended])
  })

  it('[RM155] what is refused, and what logs of earlier versions say, adds nothing to the records', () => {
    const room = timedRoom()
    room.dispatch({ type: 'resume', by, researcher })
    room.dispatch({ type: 'pause', reason: '', by })
    expect(room.dispatch({ type: 'advance', by, researcher })).toBe('ACTION_REFUSED')
    expect(room.records.filter(({ type }) => /room_|state_advanced/.test(type))).toEqual([])
  })
})
