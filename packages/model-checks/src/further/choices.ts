import { respondTool } from '@atrium/agent-protocol'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { askRespond } from '../respond/ask-respond.ts'
import { chooseTool, respondRequest, theRespondTool, tool } from '../respond/respond-request.ts'
import type { FurtherCheck } from './further-check.ts'

const otherTool = 'look_up'

/** llama-server, for one, turns a named choice silently into `auto`. With a single tool nobody would notice. */
export async function checkNamedChoice(endpoint: Endpoint, model: string | undefined): Promise<FurtherCheck> {
  const request = {
    ...respondRequest(model, 201),
    tools: [theRespondTool, tool(otherTool, 'Look something up; hardly ever useful.')],
    tool_choice: chooseTool(otherTool),
  }
  const result = await askRespond(endpoint, request, otherTool)
  const problem = result.kind === 'problem' ? result.message : problemOf(result.call)
  return problem === undefined
    ? { name: 'named_choice', ok: true, message: 'of two tools, the one that "tool_choice" names is called' }
    : {
        name: 'named_choice',
        ok: false,
        message: `asked for one of two tools by name, which the contract requires: ${problem}`,
      }
}

const problemOf = (call: { kind: 'call' } | { kind: 'problem'; message: string }): string | undefined =>
  call.kind === 'problem' ? call.message : undefined

export async function checkChoiceNone(endpoint: Endpoint, model: string | undefined): Promise<FurtherCheck> {
  const request = { ...respondRequest(model, 202), tool_choice: 'none' as const, max_tokens: 64 }
  const result = await askRespond(endpoint, request)
  const warn = (message: string): FurtherCheck => ({ name: 'choice_none', ok: false, message })
  if (result.kind === 'problem') return warn(`"tool_choice": "none": ${result.message}`)
  const calls = result.completion?.choices[0]?.message.tool_calls ?? []
  return calls.length === 0
    ? { name: 'choice_none', ok: true, message: '"tool_choice": "none" gets no tool call' }
    : warn(
        `"tool_choice": "none" was ignored: the answer calls ${respondTool}. The server drops "tool_choice", which the contract rules out.`,
      )
}
