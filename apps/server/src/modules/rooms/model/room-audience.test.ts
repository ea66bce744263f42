import { describe, expect, it } from 'vitest'
import { group, playRoom, slider, state } from '../test/played-room.ts'
import { compileBlueprint } from './blueprint.ts'
import { audienceOf, deliveriesOf, isListening, viewersOf } from './room-audience.ts'

const chat = { id: 'talk', type: 'chat' }
const ownPace = { pacing: 'participant' as const, matching: { groupSize: 3 } }
const textsHeard = (room: ReturnType<typeof playRoom>, who: string): string[] =>
  room
    .heard(who)
    .flatMap((event) =>
      event.type === 'message' ? [event.message.text] : event.type === 'announcement' ? [event.text] : [],
    )
const textsShown = (room: ReturnType<typeof playRoom>, who: string): string[] =>
  room.snapshot(who).messages.map(({ text }) => text)

describe('Who hears what', () => {
  it('[RM93] at their own pace, a chat reaches those who see it now, wherever the sender is', () => {
    const states = [state('read'), state('talk', { components: [chat] }), state('after')]
    const room = playRoom(group(states, ownPace))
    for (const who of ['p1', 'p2']) room.ready(who)
    room.say('p1', 'for the two of us')
    expect(textsHeard(room, 'p2')).toEqual(['for the two of us'])
    expect([textsHeard(room, 'p3'), textsShown(room, 'p3')]).toEqual([[], []])
    room.ready('p2')
    room.ready('p3')
    room.say('p1', 'now for us')
    expect(textsHeard(room, 'p3')).toEqual(['now for us'])
    expect(textsHeard(room, 'p2')).toEqual(['for the two of us'])
    expect(textsShown(room, 'p3')).toEqual(['now for us'])
  })

  it('[RM93] a global chat reaches people in all of its states', () => {
    const lobby = { id: 'lobby', type: 'chat', states: ['read', 'talk'] }
    const states = [state('read'), state('talk'), state('after')]
    const room = playRoom(group(states, { ...ownPace, globalComponents: [lobby] }))
    room.ready('p1')
    for (let times = 0; times < 2; times++) room.ready('p2')
    room.say('p1', 'hello')
    expect(textsHeard(room, 'p3')).toEqual(['hello'])
    expect(textsHeard(room, 'p2')).toEqual([])
  })

  it('[RM93] two chats of the same name in two states are two chats', () => {
    const states = [state('one', { components: [chat] }), state('two', { components: [chat] })]
    const room = playRoom(group(states, ownPace))
    room.ready('p1')
    room.say('p2', 'in the first')
    expect(textsHeard(room, 'p1')).toEqual([])
    expect(textsHeard(room, 'p3')).toEqual(['in the first'])
  })

  it('[RM34,RM53] participants who have finished, left or been removed receive neither messages nor announcements', () => {
    const states = [state('talk', { components: [chat] })]
    const room = playRoom(group(states, { matching: { groupSize: 5 }, pacing: 'participant' }))
    room.ready('p2')
    room.leave('p3')
    room.dispatch({ type: 'remove', participantId: 'p4', outcome: 'TECHNICAL', by: 'me' })
    expect(room.statuses()).toEqual(['active', 'finished', 'left', 'removed', 'active'])
    room.say('p1', 'are you there?')
    room.dispatch({ type: 'announce', text: 'to all', to: null, by: 'me' })
    for (const to of ['p2', 'p3', 'p4']) room.dispatch({ type: 'announce', text: 'to you', to, by: 'me' })
    for (const who of ['p2', 'p3', 'p4']) {
      expect([textsHeard(room, who), textsShown(room, who)]).toEqual([[], []])
      expect(room.recordsOf(who, 'announcement')).toEqual([])
    }
    expect(textsHeard(room, 'p5')).toEqual(['are you there?', 'to all'])
    expect(textsShown(room, 'p5')).toEqual(['are you there?', 'to all'])
  })

  it('[RM53] what they received before is still in their snapshot, and they are not told of a pause that ends', () => {
    const room = playRoom(group([state('talk', { components: [chat] })], { matching: { groupSize: 3 } }))
    room.say('p1', 'early')
    room.leave('p3')
    room.say('p1', 'late')
    room.dispatch({ type: 'pause', reason: 'r', by: 'me' })
    room.dispatch({ type: 'resume', by: 'me' })
    expect(textsShown(room, 'p3')).toEqual(['early'])
    expect(room.typesHeard('p3').at(-1)).toBe('finished')
  })

  it('[RM53] a participant who leaves receives nothing of what follows except the end of the room', () => {
    const states = [
      state('ask', { components: [slider], end: { on: 'all_responded' }, onEnd: { score: '7' } }),
      state('after'),
    ]
    const room = playRoom(group(states, { variables: { score: 0 } }))
    room.respond('p1', 'rate', 3)
    room.leave('p2')
    expect(room.heard('p1').some(({ type }) => type === 'variables')).toBe(true)
    expect(room.typesHeard('p2').at(-1)).toBe('finished')
    room.ready('p1')
    expect(room.typesHeard('p1').slice(-2)).toEqual(['finished', 'room_ended'])
    expect(room.typesHeard('p2').at(-1)).toBe('finished')
  })

  it('[RM34] a participant who was away, even too long, reads on return what was said in a chat that they see', () => {
    const room = playRoom(
      group([state('talk', { components: [chat] })], { dropout: { policy: 'continue', graceMs: 1_000 } }),
    )
    room.disconnect('p2')
    room.say('p1', 'within the grace')
    room.pass(1_000)
    expect(room.statuses()).toEqual(['active', 'dropped'])
    room.say('p1', 'after it')
    room.dispatch({ type: 'announce', text: 'to all', to: null, by: 'me' })
    room.connect('p2')
    expect(textsShown(room, 'p2')).toEqual(['within the grace', 'after it', 'to all'])
  })

  it('[R53,RM94] those who see a question are told that somebody has answered it', () => {
    const secret = { ...slider, roles: ['seller'] }
    const states = [state('ask', { components: [secret, { id: 'note', type: 'text_input' }] })]
    const room = playRoom(group(states, { roles: ['seller', 'buyer'], matching: { groupSize: 3 } }), {
      roles: ['seller', 'seller', 'buyer'],
    })
    const answersHeard = (who: string) =>
      room.heard(who).flatMap((event) => (event.type === 'response_recorded' ? [event.componentId] : []))
    room.respond('p1', 'rate', 3)
    room.respond('p3', 'note', 'hello')
    expect(['p1', 'p2', 'p3'].map(answersHeard)).toEqual([['rate', 'note'], ['rate', 'note'], ['note']])
  })

  it('[RM53] an audience is everyone still in, or participants by name', () => {
    const room = playRoom(group([state('a')], { matching: { groupSize: 3 } }))
    room.leave('p3')
    const { seats } = room.room()
    const [first, , gone] = seats
    if (!first || !gone) throw new Error('the room has three seats')
    expect(audienceOf(room.room(), seats)).toEqual({ kind: 'room' })
    expect(audienceOf(room.room(), [first])).toEqual({ kind: 'participants', participantIds: ['p1'] })
    expect(audienceOf(room.room(), [gone])).toEqual({ kind: 'participants', participantIds: [] })
  })

  it('[R53] nobody sees a component that no current state shows', () => {
    const definition = { name: 'n', states: [state('a'), state('b', { components: [chat] })] }
    const blueprint = compileBlueprint(definition)
    const room = playRoom({ states: definition.states })
    const talk = blueprint.states.get('b')?.components[0]
    if (!talk) throw new Error('there is a chat in the second state')
    expect(viewersOf(room.room(), blueprint, talk)).toEqual([])
    room.ready('p1')
    expect(viewersOf(room.room(), blueprint, talk)).toEqual(room.room().seats)
  })

  it('[RM95] those who finish with an action leave the audience, and receive only the end of the room after that', () => {
    const at = { seq: 1, at: 0 }
    const finished = { ...at, type: 'finished' as const, outcome: 'SUCCESS', completionCode: null }
    const resumed = { ...at, type: 'resumed' as const, deadlineAt: null }
    const ended = { ...at, type: 'room_ended' as const, reason: 'finished' }
    const everyone = { kind: 'room' as const }
    const only = (participantId: string) => ({
      kind: 'participants' as const,
      participantIds: [participantId],
    })
    expect(
      deliveriesOf([
        { audience: only('p1'), event: finished },
        { audience: everyone, event: resumed },
        { audience: only('p2'), event: resumed },
        { audience: everyone, event: ended },
      ]).map(({ isForRoom, participantIds, leaving }) => ({ isForRoom, participantIds, leaving })),
    ).toEqual([
      { isForRoom: false, participantIds: ['p1'], leaving: ['p1'] },
      { isForRoom: true, participantIds: [], leaving: [] },
      { isForRoom: false, participantIds: ['p2'], leaving: [] },
      { isForRoom: true, participantIds: ['p1'], leaving: [] },
    ])
  })

  it('[RM53] a participant who connects after they have left does not listen to the room', () => {
    const room = playRoom(group([state('a')], { matching: { groupSize: 3 } }))
    room.leave('p3')
    expect(['p1', 'p3', 'p9'].map((who) => isListening(room.room(), who))).toEqual([true, false, false])
  })
})
