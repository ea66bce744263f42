import { respondTool } from '@atrium/agent-protocol'
import { type Static, Type } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { quote } from '../endpoint/quote.ts'
import { RespondArguments } from './respond-request.ts'

/** Lenient where the platform does not look: many servers leave out `id`, `created` or an empty `content`. */
const Completion = Type.Object({
  choices: Type.Array(
    Type.Object({
      message: Type.Object({
        content: Type.Optional(Type.Unknown()),
        tool_calls: Type.Optional(
          Type.Union([
            Type.Null(),
            Type.Array(
              Type.Object({ function: Type.Object({ name: Type.String(), arguments: Type.Unknown() }) }),
            ),
          ]),
        ),
      }),
    }),
    { minItems: 1 },
  ),
  usage: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        prompt_tokens: Type.Optional(Type.Number()),
        completion_tokens: Type.Optional(Type.Number()),
      }),
    ]),
  ),
})
export type Completion = Static<typeof Completion>

export type CallOrProblem =
  | { kind: 'call'; arguments: Static<typeof RespondArguments> }
  | { kind: 'problem'; message: string }

const toolCallingAdvice =
  'Use a model that is trained for tool calls, and start its server with tool calling on (llama-server: --jinja; vLLM: --enable-auto-tool-choice --tool-call-parser …).'
const argumentsAdvice =
  'Use a server that constrains the arguments to the schema of the tool, or a larger model.'

export function readCompletion(value: unknown): Completion | undefined {
  return Check(Completion, value) ? value : undefined
}

/** The call that a completion has to contain, with arguments that agree with the schema. */
export function readCall(
  completion: Completion | undefined,
  apiKey: string,
  toolName: string = respondTool,
): CallOrProblem {
  if (completion === undefined)
    return problem(
      `chat/completions returned 200, but not a completion with choices[0].message. ${toolCallingAdvice}`,
    )
  const message = completion.choices[0]?.message
  const call = message?.tool_calls?.[0]
  if (call === undefined) {
    const said =
      typeof message?.content === 'string' ? `: the model wrote ${quote(message.content, apiKey)}` : ''
    return problem(`no tool_calls in response${said}. ${toolCallingAdvice}`)
  }
  if (call.function.name !== toolName)
    return problem(
      `tool_calls have schema mismatches: the tool ${quote(call.function.name, apiKey)} was called instead of ${toolName}. The server has to follow "tool_choice".`,
    )
  return readArguments(call.function.arguments, apiKey)
}

function readArguments(text: unknown, apiKey: string): CallOrProblem {
  if (typeof text !== 'string')
    return problem(
      `tool_calls arguments are not valid JSON: they have to be a string that contains JSON, not ${text === null ? 'null' : typeof text}. ${argumentsAdvice}`,
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return problem(`tool_calls arguments are not valid JSON: ${quote(text, apiKey)}. ${argumentsAdvice}`)
  }
  if (Check(RespondArguments, value)) return { kind: 'call', arguments: value }
  const first = Errors(RespondArguments, value)[0]
  const where = first === undefined || first.instancePath === '' ? 'they' : first.instancePath.slice(1)
  return problem(
    `tool_calls arguments have schema mismatches: ${quote(`${where} ${first?.message ?? 'differ'}`, apiKey)} in ${quote(text, apiKey)}. ${argumentsAdvice}`,
  )
}

const problem = (message: string): CallOrProblem => ({ kind: 'problem', message })
