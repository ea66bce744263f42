import type { AgentTurnRecord } from '@atrium/contract'

/** What a model was asked, taken apart for reading. Parts that the request does not have are absent. */
export interface AskedParts {
  instructions?: string
  perception?: unknown
  /** The tool that it had to call, made from what was legal. */
  options?: unknown
  rest?: unknown
}

export interface GivenAnswer {
  reasoning?: string
  message?: string
  action?: string
  /** Component → response. */
  answers?: Record<string, unknown>
}

/**
 * Requests are kept as they were sent, and a very long one as the text of its beginning: then there is nothing to take
 * apart.
 */
export function askedIn({ request }: Pick<AgentTurnRecord, 'request'>): AskedParts {
  if (!isRecord(request)) return request === null ? {} : { rest: request }
  const { messages, tool, perception, ...rest } = request
  const said = listOf(messages).filter(isRecord)
  const instructions = said
    .filter(({ role }) => role !== 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : []))
  const seen = perception ?? parsed(said.findLast(({ role }) => role === 'user')?.content)
  return {
    ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
    ...(seen !== undefined && { perception: inReadingOrder(seen) }),
    ...(tool !== undefined && { options: tool }),
    ...(Object.keys(rest).length > 0 && { rest }),
  }
}

/** What matters most to a reader; the rest follows as it was sent. */
const readFirst = ['state', 'events', 'components', 'variables', 'others', 'memory', 'retry']

function inReadingOrder(perception: unknown): unknown {
  if (!isRecord(perception)) return perception
  const first = readFirst.filter((name) => Object.hasOwn(perception, name))
  return { ...Object.fromEntries(first.map((name) => [name, perception[name]])), ...perception }
}

/** What it answered, in words that a researcher knows. Nothing of it is trusted: a stranger’s server wrote it. */
export function answerIn({ reply }: Pick<AgentTurnRecord, 'reply'>): GivenAnswer {
  const given = argumentsIn(reply)
  if (!isRecord(given)) return {}
  const { reasoning, action, message } = given
  const text = isRecord(message) ? message.text : message
  const { name, answers } = isRecord(action) ? action : {}
  return {
    ...(typeof reasoning === 'string' && reasoning !== '' && { reasoning }),
    ...(typeof text === 'string' && text !== '' && { message: text }),
    ...(typeof name === 'string' && { action: name }),
    ...(isRecord(answers) && { answers }),
  }
}

/** Of the first call of a tool; the scripted provider answers with the arguments themselves. */
function argumentsIn(reply: unknown): unknown {
  if (!isRecord(reply)) return undefined
  if ('action' in reply) return reply
  const [call] = listOf(reply.choices)
    .flatMap((choice) => (isRecord(choice) && isRecord(choice.message) ? [choice.message] : []))
    .flatMap(({ tool_calls }) => listOf(tool_calls))
  const called = isRecord(call) ? call.function : undefined
  return isRecord(called) ? parsed(called.arguments) : undefined
}

/** Text that should be JSON, or what is already a value. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
