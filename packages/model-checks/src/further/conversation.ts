import { respondTool } from '@atrium/agent-protocol'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { quote } from '../endpoint/quote.ts'
import { askRespond } from '../respond/ask-respond.ts'
import { respondRequest } from '../respond/respond-request.ts'
import type { FurtherCheck } from './further-check.ts'

/** After a call that did not fit, the platform sends the call and what was wrong with it. Some templates know no tool role. */
export async function checkToolResult(endpoint: Endpoint, model: string | undefined): Promise<FurtherCheck> {
  const request = respondRequest(model, 203)
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: respondTool, arguments: '{"choice":9,"message":"Fine."}' },
  } as const
  request.messages.push(
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: 'choice has to be from 1 to 7. Call respond again.' },
  )
  const result = await askRespond(endpoint, request)
  const problem =
    result.kind === 'problem'
      ? result.message
      : result.call.kind === 'problem'
        ? result.call.message
        : undefined
  return problem === undefined
    ? { name: 'tool_result', ok: true, message: 'a tool’s result is understood, and respond called again' }
    : { name: 'tool_result', ok: false, message: `after a tool’s result: ${problem}` }
}

const sentence = 'Grüße aus Łódź, 你好, مرحبا, 🎉'
/** What UTF-8 looks like when it is read as Latin-1, or cut between the bytes of a character. */
const damaged = /\uFFFD|Ã[\u0080-\u00BF]|ä½|ðŸ/

export async function checkNonAscii(endpoint: Endpoint, model: string | undefined): Promise<FurtherCheck> {
  const request = respondRequest(model, 204)
  request.messages.push({
    role: 'user',
    content: `Rate 4 and repeat this sentence as your message: ${sentence}`,
  })
  const result = await askRespond(endpoint, request)
  const warn = (message: string): FurtherCheck => ({ name: 'non_ascii', ok: false, message })
  if (result.kind === 'problem') return warn(`with text beyond ASCII: ${result.message}`)
  if (result.call.kind === 'problem') return warn(`with text beyond ASCII: ${result.call.message}`)
  const { message } = result.call.arguments
  if (damaged.test(message))
    return warn(
      `text beyond ASCII comes back damaged: ${quote(message, endpoint.apiKey)}. The server has to read and write UTF-8.`,
    )
  const isRepeated = message.includes(sentence)
  return {
    name: 'non_ascii',
    ok: true,
    message: isRepeated ? 'text beyond ASCII comes back as it was' : 'text beyond ASCII is accepted',
  }
}
