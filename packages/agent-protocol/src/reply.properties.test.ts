import { roomActions, seededRandom } from '@atrium/contract'
import { evaluateResponse, responseSchemaOf } from '@atrium/contract/components'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { drawAnswer } from './draws/draw-answer.ts'
import { drawFromSchema } from './draws/draw-from-schema.ts'
import type { AgentMoves, AgentReply } from './moves.ts'
import { readReply } from './read-reply.ts'
import { respondToolFor } from './respond.ts'
import { fromParameters } from './test/from-parameters.ts'
import { randomMoves } from './test/random-moves.ts'

const seed = Number(process.env.TEST_SEED ?? 20_260_101)
const parametersOf = (moves: AgentMoves) => respondToolFor(moves).function.parameters ?? {}
/** As it arrives from a server. */
const received = (args: unknown): unknown => JSON.parse(JSON.stringify(args))

/** R34: such as points that do not add up. */
const isToldWhatNoSchemaSays = (message: string) => /^The answer to ‘.*’ is not accepted: /s.test(message)

const withReply = randomMoves.chain(({ components, moves }) =>
  fromParameters(parametersOf(moves)).map((args) => ({ components, moves, args: received(args) })),
)

describe('[R34] a reply that fits the parameters of the tool is a legal move', () => {
  test('it is read, and the room accepts every part of it', () => {
    fc.assert(
      fc.property(withReply, ({ components, moves, args }) => {
        const read = readReply(moves, args)
        if (!read.ok && isToldWhatNoSchemaSays(read.message)) return
        if (!read.ok) throw new Error(read.message)
        const { action, message } = read.reply
        for (const [id, answer] of Object.entries(action.name === 'answer' ? action.answers : {})) {
          const component = components.find((one) => one.id === id) ?? { id, type: '' }
          expect(Value.Check(responseSchemaOf(component) ?? {}, answer)).toBe(true)
          const evaluation = evaluateResponse(component, answer, { elapsedMs: 3_600_000, attempt: 1 })
          expect(evaluation.kind).toBe('accepted')
          const submitted = { actionId: 'a', componentId: 'c', value: answer }
          expect(Value.Check(roomActions.submit_response, submitted)).toBe(true)
        }
        if (message) expectSayable(moves, message)
      }),
      { seed, numRuns: 300 },
    )
  })

  test('a draw from the parameters is read too', () => {
    fc.assert(
      fc.property(randomMoves, fc.string(), ({ moves }, drawSeed) => {
        const args = received(drawFromSchema(parametersOf(moves), seededRandom(drawSeed)))
        const read = readReply(moves, args)
        if (read.ok || !isToldWhatNoSchemaSays(read.message)) expect(read).toMatchObject({ ok: true })
      }),
      { seed, numRuns: 200 },
    )
  })

  test('what a person would answer fits the parameters too', () => {
    fc.assert(
      fc.property(randomMoves, fc.string(), ({ moves }, drawSeed) => {
        const drawn = moves.answers.flatMap(({ component }): [string, unknown][] => {
          const answer = drawAnswer(component, seededRandom(drawSeed))
          return answer === undefined ? [] : [[component.id, answer]]
        })
        fc.pre(drawn.length > 0 && drawn.length === moves.answers.length)
        const args = { action: { name: 'answer', answers: Object.fromEntries(drawn) } }
        expect(Value.Errors(parametersOf(moves), args)).toEqual([])
        expect(readReply(moves, args)).toEqual({ ok: true, reply: args })
      }),
      { seed, numRuns: 200 },
    )
  })
})

function expectSayable({ chats }: AgentMoves, { chat, text }: NonNullable<AgentReply['message']>): void {
  const { maxLength = 0 } = chats.find(({ componentId }) => componentId === chat) ?? {}
  expect(text.trim()).not.toBe('')
  expect(text.length).toBeLessThanOrEqual(maxLength)
  expect(Value.Check(roomActions.send_message, { actionId: 'a', text })).toBe(true)
}

type Fields = Record<string, unknown>
const nested = (levels: number): unknown => (levels === 0 ? 0 : [nested(levels - 1)])

/** Values that no component of the catalogue takes, and some that few take. */
const rubbish = fc.constantFrom<unknown[]>(
  ...[
    null,
    {},
    [],
    '',
    'rubbish',
    -1e9,
    0.123,
    true,
    { agreed: 'yes' },
    ['a', 'a'],
    Number.POSITIVE_INFINITY,
  ],
  ...['x'.repeat(100_000), new Array(40_000).fill(0), nested(100), JSON.parse('{"__proto__":{"a":1}}')],
)

type Mutation = (args: Fields, moves: AgentMoves, value: unknown) => unknown
const mutations: Record<string, Mutation> = {
  'not an object': (_args, _moves, value) => (typeof value === 'object' ? [value] : value),
  'no action': ({ action: _dropped, ...rest }) => rest,
  'another action': (args) => ({ ...args, action: { name: 'leave' } }),
  'an action as text': (args) => ({ ...args, action: 'wait' }),
  'an unknown field': (args) => ({ ...args, tool: 'x' }),
  'an unknown field of the action': (args) => ({ ...args, action: { ...(args.action as Fields), to: 1 } }),
  'a component that is not there': (args, moves) =>
    answering(args, [...answersIn(args), ['not there', 1]], moves),
  'a required answer left out': (args, moves) => {
    const required = moves.answers.find(({ isRequired }) => isRequired)?.component.id
    return answering(
      args,
      answersIn(args).filter(([id]) => id !== required),
      moves,
    )
  },
  'a wrong answer': (args, moves, value) => {
    const [first] = moves.answers
    const others = answersIn(args).filter(([id]) => id !== first?.component.id)
    return answering(args, first ? [...others, [first.component.id, value]] : [], moves)
  },
  'reasoning that is not text': (args) => ({ ...args, reasoning: { a: 1 } }),
  'a message that is not text': (args) => ({ ...args, message: [1] }),
}

const answersIn = ({ action }: Fields): [string, unknown][] =>
  Object.entries(((action as Fields).answers as Fields) ?? {})

/** Undefined where there is nothing to answer. */
const answering = (args: Fields, answers: [string, unknown][], { answers: open }: AgentMoves) =>
  open.length === 0
    ? undefined
    : { ...args, action: { name: 'answer', answers: Object.fromEntries(answers) } }

/** Whether the mutation made something wrong; `rubbish` may happen to be right. */
const isWrong = (name: string, moves: AgentMoves, value: unknown): boolean => {
  const [first] = moves.answers
  if (name === 'a required answer left out') return moves.answers.some(({ isRequired }) => isRequired)
  if (name !== 'a wrong answer') return true
  return (
    first !== undefined &&
    !(Array.isArray(value) && value.length > 1_000) &&
    !Value.Check(first.schema, value)
  )
}

test.each(Object.entries(mutations))(
  '[R34] a reply with a fault is refused in a sentence: %s',
  (name, mutate) => {
    fc.assert(
      fc.property(withReply, rubbish, ({ moves, args }, value) => {
        const mutated = mutate(args as Fields, moves, value)
        fc.pre(isWrong(name, moves, value) && (mutated !== undefined || name === 'not an object'))
        const read = readReply(moves, mutated)
        expect(read).toEqual({ ok: false, message: expect.stringMatching(/^[A-Z‘].{10,998}[.…’]$/su) })
      }),
      { seed, numRuns: 60 },
    )
  },
)
