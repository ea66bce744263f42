import { expect, test } from 'vitest'
import { reduceRoom } from '../rules/reduce-room.ts'
import { answering, continuing, inSeat, persona, playAgents, saying } from '../test/agent-room.ts'
import { component, group, slider, state } from '../test/played-room.ts'
import { forgetPerson } from './forget-person.ts'
import { addWordsOf, wordsOf } from './forget-words.ts'

test('[PR5] the agent that replaced somebody plays on with the values that a seat begins with', () => {
  const own = component('more', 'slider', { saveTo: 'own' })
  const room = playAgents(
    group([state('ask', { components: [slider, own], end: { on: 'all_responded' } }), state('after')], {
      matching: { groupSize: 3 },
      dropout: { policy: 'replace_with_agent' },
      agents: [persona({ replaces: true })],
      variables: {
        own: { scope: 'participant', initial: 7 },
        points: { scope: 'participant', initial: 10 },
      },
    }),
  )
  room.respond('p3', 'more', 42)
  room.leave('p3')
  expect(room.seat(inSeat(4))).toMatchObject({ variables: { own: 42, points: 10 }, responses: { more: 42 } })
  const kept = forgetPerson(room.room(), { participantId: 'p3', erasedId: 'erased_1' }, room.blueprint)
  const seats = kept.seats.slice(2)
  expect(seats.map(({ participantId }) => participantId)).toEqual(['erased_1', inSeat(4)])
  for (const seat of seats) expect(seat).toMatchObject({ variables: { own: 7, points: 10 }, responses: {} })
})

test('[PR5] an answer goes from the room’s variable, also that to a component of every state', () => {
  const asked = (id: string, saveTo: string) => component(id, 'text_response', { saveTo })
  const room = playAgents(
    group([state('ask', { components: [asked('here', 'one')] }), state('after')], {
      globalComponents: [asked('everywhere', 'two')],
      variables: { one: '', two: '' },
    }),
  )
  room.respond('p1', 'here', 'secret 1')
  room.respond('p1', 'everywhere', 'secret 2')
  expect(room.room().variables).toEqual({ one: 'secret 1', two: 'secret 2' })
  const kept = forgetPerson(room.room(), { participantId: 'p1', erasedId: 'erased_1' }, room.blueprint)
  expect(JSON.stringify(kept)).not.toContain('secret')
  expect(kept.variables).toEqual({ one: '', two: '' })
})

test('[PR5] where states share the id of a component, earlier answers go as well', () => {
  const asked = (saveTo: string) => [component('same', 'text_input', { saveTo })]
  const room = playAgents(
    group(
      [
        state('first', { components: asked('one'), end: { on: 'all_responded' } }),
        state('second', { components: asked('two') }),
      ],
      { matching: { groupSize: 2 }, variables: { one: '', two: '' } },
    ),
  )
  room.respond('p2', 'same', 'theirs')
  room.respond('p1', 'same', 'secret 1')
  room.respond('p1', 'same', 'secret 2')
  expect(room.room().variables).toEqual({ one: 'secret 1', two: 'secret 2' })
  const kept = forgetPerson(room.room(), { participantId: 'p1', erasedId: 'erased_1' }, room.blueprint)
  expect(JSON.stringify(kept)).not.toContain('secret')
  expect(kept.variables).toEqual({ one: '', two: '' })
})

test('[PR5] what a hidden agent is about to say goes as well, and the agent is asked again', () => {
  const agent = inSeat(3)
  const chat = component('talk', 'chat')
  const words = component('words', 'text_input')
  const room = playAgents(
    group([state('ask', { components: [chat, words] }), state('after')], {
      agents: [persona({ seats: 1 })],
      disclosure: { agents: 'hidden' },
    }),
  )
  room.pass(60_000)
  room.act(agent, [saying('Hello'), answering('words', 'As you said: a secret'), continuing])
  expect(JSON.stringify(room.room())).toContain('secret')
  const kept = forgetPerson(room.room(), { participantId: 'p1', erasedId: 'erased_1' }, room.blueprint)
  expect(JSON.stringify(kept)).not.toContain('secret')
  const tick = reduceRoom(kept, { type: 'tick' }, room.now() + 1, room.blueprint)
  const seats = tick.kind === 'applied' ? tick.room.seats : []
  expect(seats.find(({ participantId }) => participantId === agent)?.agent?.pending).not.toBeNull()
})

test('[RM271] what they brought from the stages before are their words too, wherever a rule has copied them', () => {
  const words = wordsOf({ participantId: 'p1' })
  const room = playAgents(
    group([state('talk')], { variables: { board: '', mine: { scope: 'participant' } } }),
  )
  const carried = { variables: { opinion: 'a secret of theirs', likes: ['tea'] } }
  const members = [
    { participantId: 'p1', role: 'participant', carried },
    { participantId: 'p2', role: 'participant', carried: { variables: { opinion: 'what p2 thinks' } } },
  ]
  addWordsOf(words, { type: 'opened', members, seed: '', ordinal: 0 }, room.blueprint.definition)
  const played = room.room()
  const seats = played.seats.map((seat) => ({ ...seat, variables: { mine: 'tea' } }))
  const copied = { ...played, seats, variables: { board: 'p1 has a secret of theirs, p2 what p2 thinks' } }
  const person = { participantId: 'p1', erasedId: 'erased_1' }
  const kept = forgetPerson(copied, person, room.blueprint, words)
  expect(kept.variables).toEqual({ board: '' })
  expect(kept.seats[1]?.variables).toEqual({ mine: '' })
})
