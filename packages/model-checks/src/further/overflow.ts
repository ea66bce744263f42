import { randomBytes } from 'node:crypto'
import { type ChatRequest, modelServerPaths, respondTool } from '@atrium/agent-protocol'
import { ask, type Endpoint } from '../endpoint/endpoint.ts'
import { readJson } from '../endpoint/read-json.ts'
import { readCall, readCompletion } from '../respond/read-call.ts'
import { chooseTool, system, theRespondTool } from '../respond/respond-request.ts'
import type { FurtherCheck } from './further-check.ts'

/** A word is at least one token, so this many words are certainly too many. */
const beyond = 1.25

/** 400, or what gateways say of bodies that are too large. 401, 408 and 429 are about something else. */
const refusals = [400, 413, 422]

/**
 * A prompt that is longer than the context has to be refused. Its first line holds a word that the answer must repeat: a
 * server that cuts the beginning off in silence does not know it. A larger context than expected is no fault.
 */
export async function checkOverflow(
  endpoint: Endpoint,
  model: string | undefined,
  contextTokens: number,
): Promise<FurtherCheck> {
  const words = Math.ceil(contextTokens * beyond)
  const nonce = `k${randomBytes(4).toString('hex')}`
  const body = longRequest(model, nonce, words)
  const answer = await ask(endpoint, { path: modelServerPaths.chatCompletions, key: endpoint.apiKey, body })
  if (answer.kind === 'answered' && refusals.includes(answer.status))
    return {
      name: 'overflow',
      ok: true,
      message: `a prompt of ${words} words is refused with ${answer.status}`,
      figures: { words },
    }
  const result = (ok: boolean, message: string): FurtherCheck => ({
    name: 'overflow',
    ok,
    message,
    figures: { words },
  })
  const json = readJson(answer, 'chat/completions', endpoint)
  if (json.kind === 'problem')
    return result(
      false,
      `a prompt of ${words} words: ${json.message} A prompt that is too long has to be refused with 400.`,
    )
  const completion = readCompletion(json.value)
  const promptTokens = completion?.usage?.prompt_tokens
  if (promptTokens !== undefined && promptTokens > 0 && promptTokens < words)
    return result(
      false,
      `a prompt of ${words} words was cut to ${promptTokens} tokens in silence, which the contract rules out. It has to be refused with 400.`,
    )
  const call = readCall(completion, endpoint.apiKey)
  if (call.kind === 'call' && call.arguments.message.includes(nonce))
    return result(true, `a prompt of ${words} words fits: the context is larger than ${contextTokens} tokens`)
  return result(
    false,
    `a prompt of ${words} words was accepted, but the answer does not know its first line: the server probably cuts long prompts in silence, which the contract rules out. They have to be refused with 400.`,
  )
}

function longRequest(model: string | undefined, nonce: string, words: number): ChatRequest {
  const filler = Array.from({ length: words }, (_, index) => fillers[index % fillers.length]).join(' ')
  return {
    ...(model !== undefined && { model }),
    messages: [
      system,
      {
        role: 'user',
        content: `The code word is ${nonce}.\n${filler}\nRate 4. Your message is the code word from the first line.`,
      },
    ],
    tools: [theRespondTool],
    tool_choice: chooseTool(respondTool),
  }
}

const fillers = ['the', 'group', 'talks', 'about', 'its', 'plan', 'and', 'then', 'waits']
