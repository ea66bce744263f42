import { describe, expect, it } from 'vitest'
import { component, group, openedAt, playRoom, slider, state } from '../test/played-room.ts'

const mood = component('mood', 'text_entry', { required: false })
const rate = component('rate', 'slider', { required: false })
const video = component('intro', 'text', { text: 'Hello' })
const asking = (more: object = {}) => state('ask', { components: [video, rate, mood], ...more })
const after = [state('next'), state('last')]
type Room = ReturnType<typeof playRoom>

const missingOf = (room: Room, who: string) =>
  room.recordsOf(who, 'answers_missing').map(({ stateId, visit, data }) => [stateId, visit, data.components])
const both = (reason: string) => [
  { componentId: 'rate', reason },
  { componentId: 'mood', reason },
]

describe('[R91,RM156] Why an answer is missing', () => {
  it('skipped: they went on without it, or ended the state themselves', () => {
    const room = playRoom(group([asking(), ...after]))
    room.respond('p1', 'rate', 4)
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(missingOf(room, 'p1')).toEqual([['ask', 1, [{ componentId: 'mood', reason: 'skipped' }]]])
    expect(missingOf(room, 'p2')).toEqual([['ask', 1, both('skipped')]])
  })

  it.each<[string, (room: Room) => void]>([
    ['a researcher', (room) => room.dispatch({ type: 'advance', by: 'researcher' })],
    ['the end of the room', (room) => room.dispatch({ type: 'end', reason: 'over', by: 'researcher' })],
    ['somebody who left', (room) => room.leave('p3')],
  ])('timed_out: %s ended it before they were done; skipped: they had gone on', (_who, end) => {
    const room = playRoom(
      group([asking(), ...after], { matching: { groupSize: 3 }, dropout: { policy: 'end' } }),
    )
    room.ready('p1')
    end(room)
    expect(missingOf(room, 'p1')).toEqual([['ask', 1, both('skipped')]])
    expect(missingOf(room, 'p2')).toEqual([['ask', 1, both('timed_out')]])
  })

  it('timed_out: another member ended it, with an answer or through a condition', () => {
    const asked = [{ ...slider, required: true }, mood]
    for (const end of [
      { on: 'any_responded' as const },
      { on: 'condition' as const, when: 'count(responses.rate) > 1' },
    ]) {
      const room = playRoom(
        group([asking({ components: asked, end }), ...after], { matching: { groupSize: 3 } }),
      )
      if (end.on === 'condition') room.respond('p1', 'rate', 1)
      room.respond('p2', 'rate', 2)
      expect(room.at()).toBe('next')
      expect(missingOf(room, 'p2')).toEqual([['ask', 1, [{ componentId: 'mood', reason: 'skipped' }]]])
      expect(missingOf(room, 'p3')).toEqual([['ask', 1, both('timed_out')]])
      if (end.on === 'condition')
        expect(missingOf(room, 'p1')).toEqual([['ask', 1, [{ componentId: 'mood', reason: 'skipped' }]]])
    }
  })

  it('timed_out: the deadline ended the state; left: they had vanished, or left before', () => {
    const room = playRoom(
      group([asking({ end: { on: 'timed', afterMs: 1_000 } }), ...after], { matching: { groupSize: 3 } }),
    )
    room.leave('p3')
    room.disconnect('p2')
    room.pass(1_000)
    expect(['p1', 'p2', 'p3'].map((who) => missingOf(room, who))).toEqual([
      [['ask', 1, both('timed_out')]],
      [['ask', 1, both('left')]],
      [['ask', 1, both('left')]],
    ])
  })

  it('nothing is missing of a component for others, nor where all was answered', () => {
    const forOne = { ...slider, roles: ['a'] }
    const room = playRoom(
      group([state('ask', { components: [forOne] }), ...after], {
        roles: [{ id: 'a' }, { id: 'b' }],
      }),
      { roles: ['a', 'b'] },
    )
    room.respond('p1', 'rate', 4)
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.at()).toBe('next')
    expect(room.records.filter(({ type }) => type === 'answers_missing')).toEqual([])
  })
})

describe('[R92,RM157] Where somebody was who did not complete', () => {
  const finishOf = (room: Room, who: string) => room.recordsOf(who, 'finished').map(({ data }) => data)

  it('is the state in which they vanished, not the last one of the room', () => {
    const room = playRoom(
      group([state('first'), state('middle'), ...after], { dropout: { policy: 'wait', graceMs: 500 } }),
    )
    for (const who of ['p1', 'p2']) room.ready(who)
    room.pass(10)
    room.disconnect('p2')
    room.pass(500)
    for (let count = 0; count < 3; count++) room.ready('p1')
    expect(finishOf(room, 'p1')).toEqual([{ outcome: 'SUCCESS', fromState: 'last' }])
    expect(finishOf(room, 'p2')).toEqual([{ outcome: 'ABANDONED', fromState: 'middle', endedIn: 'last' }])
    expect(room.seat('p2').departure).toEqual({
      at: openedAt + 10,
      stateId: 'middle',
      reason: 'disconnected',
    })
    expect(room.seat('p1').departure).toBeUndefined()
  })

  it('is nowhere for somebody who never came, and where they were for those who left or were removed', () => {
    const room = playRoom(group([state('first'), ...after], { matching: { groupSize: 4 } }), {
      isConnected: false,
    })
    for (const who of ['p1', 'p2', 'p3']) room.connect(who)
    room.leave('p1')
    room.dispatch({ type: 'remove', participantId: 'p2', outcome: 'TECHNICAL', by: 'researcher' })
    room.dispatch({ type: 'end', reason: 'over', by: 'researcher' })
    expect(room.room().seats.map(({ departure }) => [departure?.reason, departure?.stateId])).toEqual([
      ['left', 'first'],
      ['removed', 'first'],
      ['ended', 'first'],
      ['ended', null],
    ])
  })

  it('is known of somebody whose seat went to an agent', () => {
    const room = playRoom(
      group([state('first'), ...after], { dropout: { policy: 'replace_with_agent', graceMs: 500 } }),
    )
    room.disconnect('p2')
    room.pass(500)
    expect(room.seat('p2').departure).toMatchObject({ stateId: 'first', reason: 'disconnected' })
    expect(room.recordsOf('p2', 'dropped')).toMatchObject([{ data: { fromState: 'first' } }])
  })
})
