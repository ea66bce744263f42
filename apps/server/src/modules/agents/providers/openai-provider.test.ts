import type { ChatRequest } from '@atrium/agent-protocol'
import type { StubReply } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { createInternet, guard, startHttp } from '../../../adapters/outbound/test/guard-world.ts'
import {
  apiKey,
  askServer,
  calling,
  completion,
  patient,
  provider,
  request,
  start,
  tool,
} from './test/ask-server.ts'

it('[R44] asks for one call of respond, without a stream, and gives back its arguments', async () => {
  const asked: ChatRequest[] = []
  const stub = await start({
    onCompletion(body, answer) {
      asked.push(body)
      return answer
    },
  })
  const outcome = await provider({ baseUrl: `${stub.baseUrl}/` }).ask(
    { ...request, sampling: { temperature: 0.5, topP: 0.9, maxTokens: 200, seed: 7 } },
    patient(),
  )
  expect(outcome).toEqual({
    kind: 'replied',
    arguments: { choice: 4, message: 'That is fair.' },
    usage: { promptTokens: 4, completionTokens: 12 },
    reply: expect.objectContaining({ object: 'chat.completion' }),
  })
  expect(asked).toEqual([
    {
      model: 'stub-model',
      messages: request.messages,
      tools: [tool],
      tool_choice: { type: 'function', function: { name: 'respond' } },
      stream: false,
      max_tokens: 200,
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
    },
  ])
  expect(stub.requests).toEqual([{ method: 'POST', path: '/v1/chat/completions', key: apiKey }])
})

it('[R44] leaves out what the persona does not set', async () => {
  let asked: ChatRequest | undefined
  const { baseUrl } = await start({
    onCompletion(body, answer) {
      asked = body
      return answer
    },
  })
  await provider({ baseUrl }).ask(request, patient())
  expect(Object.keys(asked ?? {})).toEqual([
    'model',
    'messages',
    'tools',
    'tool_choice',
    'stream',
    'max_tokens',
  ])
})

it('[R44] learns once that a server wants max_completion_tokens', async () => {
  const limitsAsked: object[] = []
  const { baseUrl } = await start({
    onCompletion({ max_tokens, max_completion_tokens }, answer) {
      limitsAsked.push({ max_tokens, max_completion_tokens })
      const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
      return max_tokens === undefined ? answer : { status: 400, body: { error: { message } } }
    },
  })
  const { ask } = provider({ baseUrl })
  expect(await ask(request, patient())).toMatchObject({ kind: 'replied' })
  expect(await ask(request, patient())).toMatchObject({ kind: 'replied' })
  expect(limitsAsked).toEqual([
    { max_tokens: 1_024 },
    { max_completion_tokens: 1_024 },
    { max_completion_tokens: 1_024 },
  ])
})

it('[R44] a server that refuses both limits of tokens is asked twice, not for ever', async () => {
  const stub = await start({
    onCompletion: () => ({ status: 400, body: { error: { message: 'no max_completion_tokens' } } }),
  })
  expect(await provider(stub).ask(request, patient())).toMatchObject({ reason: 'status', status: 400 })
  expect(stub.requests).toHaveLength(2)
})

it('tolerates what real servers do', async () => {
  const given = { action: { name: 'wait' } }
  const text = JSON.stringify(given)
  const tolerated: Record<string, StubReply> = {
    'several calls': calling(['respond', text], ['respond', '{"second":true}']),
    'another tool first': calling(['think', '{}'], ['respond', text]),
    'arguments as an object': calling(['respond', given]),
    'rubbish beside the call': completion({
      tool_calls: [null, 7, { function: 'x' }, { function: { name: 'respond', arguments: text } }],
      content: ['x'],
    }),
    'a choice without a message first': {
      body: {
        choices: [
          null,
          {},
          { message: { tool_calls: [{ function: { name: 'respond', arguments: text } }] } },
        ],
      },
    },
    'JSON that is not called so': {
      ...calling(['respond', text]),
      headers: { 'content-type': 'text/plain' },
    },
  }
  for (const [name, reply] of Object.entries(tolerated))
    expect(await askServer(reply), name).toMatchObject({ kind: 'replied', arguments: given })
})

it('counts only tokens that can be', async () => {
  const usages: [usage: unknown, read: unknown][] = [
    [
      { prompt_tokens: 3, completion_tokens: 0 },
      { promptTokens: 3, completionTokens: 0 },
    ],
    [undefined, null],
    [null, null],
    ['many', null],
    [[1, 2], null],
    [{ prompt_tokens: 3 }, null],
    [{ prompt_tokens: -1, completion_tokens: 2 }, null],
    [{ prompt_tokens: 1.5, completion_tokens: 2 }, null],
    [{ prompt_tokens: '3', completion_tokens: 2 }, null],
    [{ prompt_tokens: 1e300, completion_tokens: 2 }, null],
  ]
  const message = { tool_calls: [{ function: { name: 'respond', arguments: '{}' } }] }
  for (const [usage, read] of usages)
    expect(await askServer(completion(message, { usage })), JSON.stringify(usage)).toMatchObject({
      kind: 'replied',
      usage: read,
    })
})

it('says that a reply was cut off at the limit of tokens, and counts what it has cost', async () => {
  const message = { tool_calls: [{ function: { name: 'respond', arguments: '{"action":' } }] }
  const body = {
    choices: [{ message, finish_reason: 'length' }],
    usage: { prompt_tokens: 9, completion_tokens: 1_024 },
  }
  expect(await askServer({ body })).toMatchObject({
    reason: 'bad_arguments',
    message: expect.stringContaining('reached the limit of tokens'),
    usage: { promptTokens: 9, completionTokens: 1_024 },
    reply: body,
  })
})

it('[R35] [R44] a public server is asked over https', async () => {
  const asked: (string | undefined)[] = []
  const port = await startHttp((message, response) => {
    asked.push(`${message.headers.host} ${message.headers.authorization}`)
    response.end(JSON.stringify(calling(['respond', '{"action":{"name":"wait"}}']).body))
  }, true)
  const { open } = createInternet({ port })
  const { fetch } = guard({ hosted: true, open, resolve: async () => ['93.184.215.14'] })
  const { ask } = provider({ baseUrl: 'https://api.example.org/v1', fetch })
  expect(await ask(request, patient())).toMatchObject({ kind: 'replied' })
  expect(asked).toEqual([`api.example.org Bearer ${apiKey}`])
})

it('only the caller’s own abort rejects', async () => {
  const stop = new AbortController()
  const { baseUrl } = await start({
    onCompletion() {
      stop.abort()
      return new Promise(() => undefined)
    },
  })
  const { ask } = provider({ baseUrl })
  const options = { timeoutMs: 60_000, signal: stop.signal }
  await expect(ask(request, options)).rejects.toMatchObject({ name: 'AbortError' })
  await expect(ask(request, options)).rejects.toMatchObject({ name: 'AbortError' })
})
