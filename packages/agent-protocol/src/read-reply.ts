import type { ValidationIssue } from '@atrium/contract'
import { findTooLong, findUnstorable, issuesOf, jsonBytesOf, limits } from '@atrium/contract'
import { refusalOf } from '@atrium/contract/components'
import { Value } from 'typebox/value'
import { cutText, storableText, withFittingTexts } from './agent-text.ts'
import type { AgentMoves, AgentReply, AnswerMove } from './moves.ts'
import { agentActionsOf, longestReasoning } from './respond.ts'

export type ReadReply = { ok: true; reply: AgentReply } | { ok: false; message: string }

/** Why a reply is refused, in a sentence that tells the model what to correct. */
class Wrong extends Error {}

const longestSentence = 1_000
const longestQuote = 200
const maxNamed = 20

/**
 * Reads the arguments of a call of `respond`. Answers are checked against the schemas that the room uses, and what the
 * offered schema allows is accepted: texts are adapted where only their characters are wrong. The arguments come from a
 * stranger's server: nothing is followed deeper than the schemas go, and nothing is looked up by inheritance.
 */
export function readReply(moves: AgentMoves, args: unknown): ReadReply {
  try {
    return { ok: true, reply: replyFrom(moves, args) }
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, message: cutText(error.message, longestSentence) }
    throw error
  }
}

function replyFrom(moves: AgentMoves, args: unknown): AgentReply {
  const fields = fieldsOf(args, 'The arguments of ‘respond’ must be an object with the field ‘action’.')
  const known = ['reasoning', 'action', ...(moves.chats.length > 0 ? ['message', 'chat'] : [])]
  for (const [name, value] of fields) if (!known.includes(name)) refuseField(name, value, known)
  const reasoning = textIn(fields, 'reasoning')
  const action = readAction(moves, fields.get('action'))
  const message = readMessage(moves, fields)
  return {
    ...(reasoning !== undefined && { reasoning: cutText(storableText(reasoning), longestReasoning) }),
    action,
    ...(message && { message }),
  }
}

function refuseField(name: string, value: unknown, known: readonly string[]): void {
  if (name !== 'message' && name !== 'chat')
    throw new Wrong(`${quoted(name)} is not a field of ‘respond’; use ${listed(known)}.`)
  // Models that fill in every field they have ever seen often leave this one empty.
  if (!isBlank(value)) throw new Wrong('There is no chat that you can write in now; leave out ‘message’.')
}

function readAction(moves: AgentMoves, value: unknown): AgentReply['action'] {
  const legal: string[] = agentActionsOf(moves).map(({ name }) => name)
  const fields = fieldsOf(value, `‘action’ must be an object with a ‘name’: ${oneOf(legal)}.`)
  const name = fields.get('name')
  if (typeof name !== 'string' || !legal.includes(name))
    throw new Wrong(`The ‘name’ of the action must be ${oneOf(legal)}; nothing else is possible now.`)
  const known = name === 'answer' ? ['name', 'answers'] : ['name']
  const unknown = [...fields.keys()].find((field) => !known.includes(field))
  if (unknown !== undefined)
    throw new Wrong(`${quoted(unknown)} is not a field of the action ${quoted(name)}; use ${listed(known)}.`)
  if (name !== 'answer') return { name: name === 'continue' ? 'continue' : 'wait' }
  return { name, answers: readAnswers(moves.answers, fields.get('answers')) }
}

function readAnswers(moves: readonly AnswerMove[], value: unknown): Record<string, unknown> {
  const given = fieldsOf(value, '‘answers’ must be an object: component id → response.')
  const open = new Map(moves.map((move) => [move.component.id, move]))
  const required = moves.filter(({ isRequired }) => isRequired).map(({ component }) => component.id)
  const missing = required.find((id) => !given.has(id))
  if (missing !== undefined) throw new Wrong(`‘answers’ must contain ${quoted(missing)}, which is required.`)
  if (given.size === 0)
    throw new Wrong(`‘answers’ is empty; answer at least one of ${listed([...open.keys()])}.`)
  const answers = [...given].map(([id, answer]): [string, unknown] => {
    const move = open.get(id)
    if (!move)
      throw new Wrong(
        `There is no component ${quoted(id)} that you can answer now; answer only ${listed([...open.keys()])}.`,
      )
    return [id, readAnswer(move, answer)]
  })
  // Not assigned by name: `__proto__` is a valid component id.
  return Object.fromEntries(answers)
}

function readAnswer({ component, schema }: AnswerMove, value: unknown): unknown {
  const { id } = component
  const unstorable = findUnstorable(value, limits.jsonDepth)
  if (unstorable) throw new Wrong(aboutAnswer(id, unstorable))
  if (jsonBytesOf(value) > limits.responseBytes)
    throw new Wrong(`The answer to ${quoted(id)} is too long; use at most ${limits.responseBytes} bytes.`)
  // Before everything else: comparing the items of a list that is far too long with each other takes a quarter second.
  const tooLong = findTooLong(schema, value)
  if (tooLong) throw new Wrong(aboutAnswer(id, tooLong))
  const answer = withFittingTexts(schema, value)
  // Not compiled: the schema is used once, and compiling it takes longer than a check.
  const [issue] = issuesOf({ Check: (it) => Value.Check(schema, it), Type: () => schema }, answer)
  if (issue) throw new Wrong(aboutAnswer(id, issue))
  // What a schema cannot say: the model is told, and can try again.
  const refusal = refusalOf(component, answer)
  if (refusal !== undefined) throw new Wrong(`The answer to ${quoted(id)} is not accepted: ${refusal}`)
  return answer
}

const aboutAnswer = (id: string, { path, message }: ValidationIssue): string =>
  path === ''
    ? `The answer to ${quoted(id)} ${message}.`
    : `The answer to ${quoted(id)} is invalid: ${cutText(path, longestQuote)} ${message}.`

function readMessage({ chats }: AgentMoves, fields: Fields): AgentReply['message'] {
  const text = storableText(textIn(fields, 'message') ?? '').trim()
  const [first] = chats
  if (text === '' || !first) return undefined
  const named = textIn(fields, 'chat')
  const chat = named === undefined ? first : chats.find(({ componentId }) => componentId === named)
  if (!chat) throw new Wrong(`‘chat’ must be ${oneOf(chats.map(({ componentId }) => componentId))}.`)
  const { componentId, maxLength } = chat
  const length = [...text].length
  if (length > maxLength)
    throw new Wrong(`The ‘message’ has ${length} characters; this chat allows at most ${maxLength}.`)
  // The room counts UTF-16 units, JSON Schema characters: 500 emoji fit the schema but not the room.
  const cut = cutText(text, maxLength)
  return cut === '' ? undefined : { chat: componentId, text: cut }
}

type Fields = ReadonlyMap<string, unknown>

function fieldsOf(value: unknown, otherwise: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Wrong(otherwise)
  return new Map(Object.entries(value))
}

/** Models write `null` for what they leave out. */
function textIn(fields: Fields, name: string): string | undefined {
  const value = fields.get(name) ?? undefined
  if (value !== undefined && typeof value !== 'string') throw new Wrong(`${quoted(name)} must be text.`)
  return value
}

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

const quoted = (name: string): string => `‘${cutText(name, longestQuote)}’`

const listed = (names: readonly string[]): string =>
  names.slice(0, maxNamed).map(quoted).join(', ') + (names.length > maxNamed ? ', …' : '')

const oneOf = (names: readonly string[]): string =>
  names.length === 1 ? listed(names) : `one of ${listed(names)}`
