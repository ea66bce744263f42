// A model server that takes MODEL_MS for every reply, and does what the benchmark's study asks for: it talks where there is
// a chat, and names a price otherwise.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { ChatRequest } from '@atrium/agent-protocol'
import { printListening } from './peer.ts'

const modelMs = Number(process.env.MODEL_MS)

const replyWith = (args: object): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'bench',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'respond', arguments: JSON.stringify(args) },
            },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 1_000, completion_tokens: 40, total_tokens: 1_040 },
  })

const reasoning = 'They have offered 90, so I should ask for a little more.'
const talking = replyWith({
  reasoning,
  action: { name: 'continue' },
  message: 'I could go down to 110, but not lower: the bicycle is almost new.',
})
const pricing = replyWith({ reasoning, action: { name: 'answer', answers: { price: 110 } } })

const server = createServer(async (request, response) => {
  const { tools } = JSON.parse(await text(request)) as ChatRequest
  const canTalk = 'message' in Object(tools?.[0]?.function.parameters?.properties)
  await delay(modelMs)
  response.writeHead(200, { 'content-type': 'application/json' }).end(canTalk ? talking : pricing)
})
server.listen(0, '127.0.0.1', () => printListening(server.address()))
process.on('SIGTERM', () => process.exit(0))
