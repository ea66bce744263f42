import { describe, expect, test } from 'vitest'
import type { AgentMoves } from './moves.ts'
import { readReply } from './read-reply.ts'
import { respondToolFor } from './respond.ts'
import { movesTo } from './test/random-moves.ts'

const mood = { id: 'mood', type: 'slider', label: 'How do you feel?', minLabel: 'bad', maxLabel: 'good' }
const name = { id: 'name', type: 'text_input', isRequired: false }
const talk = { componentId: 'talk', maxLength: 500 }

interface Schema {
  properties: Record<string, Schema>
  anyOf?: Schema[]
  required: string[]
  const?: string
}
const parametersOf = (moves: AgentMoves) => respondToolFor(moves).function.parameters as unknown as Schema
const actionsIn = ({ properties: { action } }: Schema) =>
  (action?.anyOf ?? [action]).map((form) => form?.properties.name?.const)

describe('[R34] the parameters are what is legal now', () => {
  test('answers by component, with what each of them asks', () => {
    expect(respondToolFor(movesTo([mood, name], { canContinue: true }))).toEqual({
      type: 'function',
      function: {
        name: 'respond',
        description: expect.any(String),
        parameters: {
          type: 'object',
          properties: {
            reasoning: { type: 'string', maxLength: 2_000, description: expect.any(String) },
            action: {
              type: 'object',
              description: expect.any(String),
              properties: {
                name: { type: 'string', const: 'answer' },
                answers: {
                  type: 'object',
                  description: 'Component id → response.',
                  properties: {
                    mood: {
                      type: 'integer',
                      title: 'Value',
                      minimum: 0,
                      maximum: 100,
                      description: 'Required. Slider: How do you feel?',
                    },
                    name: {
                      type: 'string',
                      title: 'Answer',
                      minLength: 1,
                      maxLength: 1_000,
                      description: 'Optional. Text input',
                    },
                  },
                  required: ['mood'],
                  additionalProperties: false,
                },
              },
              required: ['name', 'answers'],
              additionalProperties: false,
            },
          },
          required: ['action'],
          additionalProperties: false,
        },
      },
    })
  })

  test.each<[string, AgentMoves, string[]]>([
    ['a required answer is open', movesTo([mood], { canContinue: true }), ['answer']],
    ['it may wait', movesTo([mood], { canContinue: true, canWait: true }), ['answer', 'wait']],
    ['only optional answers are open', movesTo([name], { canContinue: true }), ['answer', 'continue']],
    ['there is nothing to answer', movesTo([], { canContinue: true }), ['continue']],
    ['there is nothing to do at all', movesTo([]), ['wait']],
  ])('actions when %s', (_when, moves, expected) => {
    expect(actionsIn(parametersOf(moves))).toEqual(expected)
  })

  test('a message only where there is a chat, and a chat only where there are several', () => {
    const quiet = { componentId: '__proto__', maxLength: 20 }
    expect(Object.keys(parametersOf(movesTo([])).properties)).toEqual(['reasoning', 'action'])
    expect(parametersOf(movesTo([], { chats: [talk] })).properties).toMatchObject({
      message: { minLength: 1, maxLength: 500 },
    })
    const both = parametersOf(movesTo([], { chats: [talk, quiet] })).properties
    expect(both).toMatchObject({ message: { maxLength: 20 }, chat: { enum: ['talk', '__proto__'] } })
  })

  test('numbers are offered in forms whose bounds grammars keep', () => {
    const offered = (settings: object) => {
      const { action } = parametersOf(movesTo([{ ...mood, ...settings }])).properties
      return action?.properties.answers?.properties.mood
    }
    expect(offered({ min: 0, max: 0.5, step: 0.1 })).toMatchObject({ enum: [0, 0.1, 0.2, 0.3, 0.4, 0.5] })
    expect(offered({ min: -10, max: 10, step: 5 })).toMatchObject({ enum: [-10, -5, 0, 5, 10] })
    expect(offered({ min: 0, max: 1, step: 0.001 })).toMatchObject({ type: 'number', multipleOf: 0.001 })
    expect(offered({ min: 0.5, max: 9.5 })).toMatchObject({ type: 'number', minimum: 0.5, maximum: 9.5 })
  })

  test('texts are offered no longer than grammars can bear, and are accepted as long as the room takes them', () => {
    const essay = { id: 'essay', type: 'text_input', kind: 'paragraph' }
    const moves = movesTo([essay])
    const { action } = parametersOf(moves).properties
    expect(action?.properties.answers?.properties.essay).toMatchObject({ maxLength: 2_000 })
    const args = { action: { name: 'answer', answers: { essay: 'x'.repeat(20_000) } } }
    expect(readReply(moves, args).ok).toBe(true)
  })
})

describe('[R34] reading a reply', () => {
  const moves = movesTo([mood, name], { canWait: true, chats: [talk] })
  const answer = (answers: unknown, more: object = {}) =>
    readReply(moves, { action: { name: 'answer', answers }, ...more })

  test('takes answers, reasoning and a message', () => {
    expect(answer({ mood: 7, name: 'Ada' }, { reasoning: 'Fine.', message: ' Hello ' })).toEqual({
      ok: true,
      reply: {
        reasoning: 'Fine.',
        action: { name: 'answer', answers: { mood: 7, name: 'Ada' } },
        message: { chat: 'talk', text: 'Hello' },
      },
    })
  })

  test('reads what models write for nothing as nothing', () => {
    const wait = { action: { name: 'wait' } }
    for (const empty of [
      { message: '' },
      { message: null, reasoning: null },
      { message: ' \n' },
      { chat: null },
    ])
      expect(readReply(moves, { ...wait, ...empty })).toEqual({ ok: true, reply: wait })
    expect(readReply(movesTo([]), { ...wait, message: '' })).toEqual({ ok: true, reply: wait })
  })

  test('replaces characters that a field does not take, as a page does', () => {
    expect(answer({ mood: 1, name: 'Ada\nLovelace' })).toMatchObject({
      reply: { action: { answers: { name: 'Ada Lovelace' } } },
    })
    expect(answer({ mood: 1 }, { message: 'a\u0000b\ud800' })).toMatchObject({
      reply: { message: { text: 'a\ufffdb\ufffd' } },
    })
  })

  test.each<[string, unknown, string]>([
    ['nothing', null, 'The arguments of ‘respond’ must be an object with the field ‘action’.'],
    ['no action', {}, '‘action’ must be an object with a ‘name’: one of ‘answer’, ‘wait’.'],
    [
      'an action that is not possible',
      { action: { name: 'continue' } },
      'The ‘name’ of the action must be one of ‘answer’, ‘wait’; nothing else is possible now.',
    ],
    [
      'an unknown field',
      { action: { name: 'wait' }, role: 'system' },
      '‘role’ is not a field of ‘respond’; use ‘reasoning’, ‘action’, ‘message’, ‘chat’.',
    ],
    [
      'a missing answer',
      { action: { name: 'answer', answers: { name: 'Ada' } } },
      '‘answers’ must contain ‘mood’, which is required.',
    ],
    [
      'an answer to something else',
      { action: { name: 'answer', answers: { mood: 1, secret: 1 } } },
      'There is no component ‘secret’ that you can answer now; answer only ‘mood’, ‘name’.',
    ],
    [
      'a value out of bounds',
      { action: { name: 'answer', answers: { mood: 101 } } },
      'The answer to ‘mood’ must be at most 100.',
    ],
    [
      'too long a message',
      { action: { name: 'wait' }, message: 'x'.repeat(501) },
      'The ‘message’ has 501 characters; this chat allows at most 500.',
    ],
    [
      'too long an answer',
      { action: { name: 'answer', answers: { mood: 'x'.repeat(100_000) } } },
      'The answer to ‘mood’ is too long; use at most 98304 bytes.',
    ],
  ])('says what is wrong: %s', (_what, args, message) => {
    expect(readReply(moves, args)).toEqual({ ok: false, message })
  })

  test('a value nested too deep, or far too long a list, is refused before anything looks into it', () => {
    let deep: unknown = 0
    for (let level = 0; level < 10_000; level++) deep = [deep]
    expect(answer({ mood: deep })).toMatchObject({ ok: false })
    const ranking = { id: 'c', type: 'ranking', items: ['a', 'b'] }
    const several = movesTo([ranking])
    const zeros = { action: { name: 'answer', answers: { c: new Array(40_000).fill(0) } } }
    expect(readReply(several, zeros)).toEqual({
      ok: false,
      message: 'The answer to ‘c’ must have at most 2 items.',
    })
  })

  test.each(['__proto__', 'constructor', 'toString', 'Größe 😀', 'x'.repeat(200)])(
    'a component may be called anything: %s',
    (id) => {
      const named = movesTo([{ ...mood, id }])
      const args = JSON.parse(`{"action":{"name":"answer","answers":{${JSON.stringify(id)}:5}}}`)
      const read = readReply(named, args)
      if (!read.ok || read.reply.action.name !== 'answer') throw new Error('it was refused')
      expect(Object.entries(read.reply.action.answers)).toEqual([[id, 5]])
      expect(JSON.stringify(respondToolFor(named))).toContain(`${JSON.stringify(id)}:{"type":"integer"`)
      expect(readReply(named, { action: { name: 'answer', answers: {} } })).toMatchObject({ ok: false })
    },
  )
})
