import { ChatRequest } from '@atrium/agent-protocol'
import { Compile } from 'typebox/compile'
import { deepestValue, isDeeperThan } from '../engines/http/json-facts.ts'
import { Refusal } from './refusal.ts'
import { chooseTools } from './tool-choice.ts'

const checker = Compile(ChatRequest)

/** TypeBox collects all errors before it says the first. */
const longestExplained = 100_000

/** The request, checked, with only the tools that may be called and a choice that every engine understands. */
export function readChatRequest(body: string, servedModel: string): ChatRequest {
  const value = parse(body)
  if (isDeeperThan(value, deepestValue))
    throw new Refusal('invalid_request', `The body is nested deeper than ${deepestValue} levels.`)
  if (!checker.Check(value)) throw formRefusal(value, body.length)
  refuseOtherModel(value, servedModel)
  refuseOutdated(value)
  refuseEmptyMessages(value)
  return chooseTools(value)
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new Refusal('invalid_request', `The body is not valid JSON: ${(error as Error).message}`)
  }
}

function formRefusal(value: unknown, length: number): Refusal {
  if (length > longestExplained)
    return new Refusal('invalid_request', 'The body is not a chat request, and too large to say where.')
  const errors = checker.Errors(value)
  // The deepest one is the most telling: the others follow from it.
  const error = errors.toSorted((one, other) => other.instancePath.length - one.instancePath.length)[0]
  if (error === undefined) return new Refusal('invalid_request', 'The body is not a chat request.')
  const missing = 'requiredProperties' in error.params ? error.params.requiredProperties[0] : undefined
  const path = missing === undefined ? error.instancePath : `${error.instancePath}/${missing}`
  const param = nameOf(path)
  const message = missing === undefined ? error.message : 'is required'
  return new Refusal('invalid_request', param === '' ? `The body ${message}.` : `${param}: ${message}.`, {
    param,
  })
}

/** `/messages/0/role` as OpenAI names it: `messages[0].role`. */
const nameOf = (path: string): string =>
  path
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^\./, '')

/** Answering as another model than the one that was asked for would spoil a study silently. */
function refuseOtherModel({ model }: ChatRequest, servedModel: string): void {
  if (model !== undefined && model !== servedModel)
    throw new Refusal(
      'model_not_found',
      `This server has the model “${servedModel}”, not “${model.slice(0, 200)}”.`,
      { param: 'model' },
    )
}

/** What clients may send and we would otherwise ignore. */
function refuseOutdated(
  request: ChatRequest & { n?: unknown; functions?: unknown; function_call?: unknown },
): void {
  if (request.n !== undefined && request.n !== null && request.n !== 1)
    throw new Refusal('invalid_request', 'n: this server makes one choice per request.', { param: 'n' })
  for (const param of ['functions', 'function_call'] as const)
    if (request[param] !== undefined)
      throw new Refusal('invalid_request', `${param}: use tools and tool_choice instead.`, { param })
}

function refuseEmptyMessages({ messages }: ChatRequest): void {
  const index = messages.findIndex(
    ({ role, content, tool_calls: calls }) =>
      (content === undefined || content === null) && (role !== 'assistant' || calls === undefined),
  )
  if (index >= 0)
    throw new Refusal('invalid_request', `messages[${index}].content: is required.`, {
      param: `messages[${index}].content`,
    })
}
