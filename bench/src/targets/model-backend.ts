// A model server that does not think: it reads the request, and answers with the same call each time.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { printListening } from './peer.ts'

const call = { id: 'call_1', type: 'function', function: { name: 'respond', arguments: '{"choice":"left"}' } }
const body = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [
    { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 1_000, completion_tokens: 12, total_tokens: 1_012 },
})
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }

const server = createServer(async (request, response) => {
  JSON.parse((await text(request)) || '{}')
  response.writeHead(200, headers).end(body)
})
server.listen(0, '127.0.0.1', () => printListening(server.address()))
process.on('SIGTERM', () => process.exit(0))
