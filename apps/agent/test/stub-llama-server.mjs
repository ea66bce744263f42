#!/usr/bin/env node
// Behaves like llama-server of llama.cpp, as far as the agent tool uses it: arguments, the key from the environment,
// /health while the model is loaded, errors in its form, a named tool_choice that is silently taken as auto. STUB_LLAMA
// chooses how it fails.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const mode = process.env.STUB_LLAMA ?? ''
const flags = new Set(['--cont-batching', '--jinja', '--no-context-shift'])
const valued = [
  '--model',
  '--alias',
  '--host',
  '--port',
  '--ctx-size',
  '--parallel',
  '--spec-type',
  '--threads',
]
const options = new Map()
for (let rest = process.argv.slice(2); rest.length > 0; ) {
  const [name, value] = rest
  if (flags.has(name)) rest = rest.slice(1)
  else if ([...valued, '--n-gpu-layers'].includes(name) && value !== undefined) {
    options.set(name, value)
    rest = rest.slice(2)
  } else fail(`error: invalid argument: ${name}`)
}
const number = (name) => Number(options.get(name))
const slotContext = Math.floor(number('--ctx-size') / number('--parallel'))

if (mode === 'dies at start')
  fail(
    `srv  load_model: failed to load model, '${options.get('--model')}'\nmain: exiting due to model loading error`,
  )
if (mode === 'ignores SIGTERM') process.on('SIGTERM', () => console.error('not now'))

let healthChecks = 0
const isLoading = () => mode === 'never ready' || (mode === 'late' && healthChecks < 3)

const server = createServer(async (request, response) => {
  const send = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }
  const refuse = (code, message, type, more) => send(code, { error: { code, message, type, ...more } })
  if (request.url === '/health') {
    healthChecks += 1
    if (!isLoading()) return send(200, { status: 'ok' })
    console.error(`load_tensors: still loading (${healthChecks})`)
    return refuse(503, 'Loading model', 'unavailable_error')
  }
  if (request.url === '/v1/models')
    return send(200, { data: [{ id: options.get('--alias'), meta: { n_ctx_train: 8192 } }] })
  if (request.headers.authorization !== `Bearer ${process.env.LLAMA_API_KEY}`)
    return refuse(401, 'Invalid API Key', 'authentication_error')
  if (request.url === '/tokenize') return send(200, { tokens: [] })
  if (request.url === '/props') return send(200, { default_generation_settings: { n_ctx: slotContext } })
  if (request.url !== '/v1/chat/completions') return refuse(404, 'File Not Found', 'not_found_error')
  const body = await text(request)
  const chat = JSON.parse(body)
  const said = JSON.stringify(chat.messages)
  if (said.includes('die now')) {
    if (chat.stream) writeEvent(response, delta({ role: 'assistant' }))
    console.error('ggml_cuda: out of memory')
    return setImmediate(() => process.kill(process.pid, 'SIGKILL'))
  }
  const tokens = Math.ceil(said.length / 4)
  if (tokens > slotContext)
    return refuse(
      400,
      `request (${tokens} tokens) exceeds the available context size (${slotContext} tokens), try increasing it`,
      'exceed_context_size_error',
      { n_prompt_tokens: tokens, n_ctx: slotContext },
    )
  // The command line as others on this machine see it, so that a test can look for keys in it.
  const args = JSON.stringify({ argv: process.argv.slice(2) })
  const call = {
    id: 'c1',
    type: 'function',
    function: { name: chat.tools?.[0]?.function.name, arguments: args },
  }
  const message =
    chat.tool_choice === 'required'
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content: 'plain text' }
  const choice = { index: 0, finish_reason: 'stop' }
  if (!chat.stream)
    return send(200, {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: options.get('--alias'),
      choices: [{ ...choice, message }],
    })
  writeEvent(response, delta({ role: 'assistant', content: null }))
  writeEvent(
    response,
    delta(message.tool_calls ? { tool_calls: [{ index: 0, ...call }] } : { content: message.content }),
  )
  writeEvent(response, delta({}, 'stop'))
  response.end('data: [DONE]\n\n')
})

const delta = (delta, finish_reason = null) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: options.get('--alias'),
  choices: [{ index: 0, delta, finish_reason }],
})

function writeEvent(response, value) {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`data: ${JSON.stringify(value)}\n\n`)
}

server.on('error', () =>
  fail(
    `start: couldn't bind HTTP server socket, hostname: ${options.get('--host')}, port: ${options.get('--port')}`,
  ),
)
server.listen(number('--port'), options.get('--host'))

function fail(message) {
  console.error(message)
  process.exit(1)
}
