import type { ServerResponse } from 'node:http'
import type { ChatRequest } from '@atrium/agent-protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { collect } from '../../test/collect.ts'
import {
  completion,
  json,
  type StubUpstream,
  startStubUpstream,
  stubKey,
  stubModel,
} from '../../test/stub-upstream.ts'
import { Misuse } from '../misuse.ts'
import { type Engine, EngineFailed, RequestRefused } from './engine.ts'
import { readEvents } from './http/server-sent-events.ts'
import { openUpstream } from './upstream.ts'

let upstream: StubUpstream
let engine: Engine | undefined

afterEach(async () => {
  await engine?.stop()
  await upstream.stop()
})

const request: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] }
const never = new AbortController().signal

async function open(choice: { baseUrl?: string; apiKey?: string; model?: string } = {}): Promise<string[]> {
  const said: string[] = []
  engine = await openUpstream(
    { kind: 'upstream', baseUrl: upstream.baseUrl, apiKey: stubKey, model: stubModel, ...choice },
    { contextTokens: 1_000, parallel: 2, say: (text) => said.push(text) },
  )
  return said
}

/** How the engine fails when the upstream answers like this. */
async function failureWith(
  behave: (response: ServerResponse) => void,
  how: 'complete' | 'stream' = 'complete',
) {
  upstream.behave(({ response }) => behave(response))
  if (engine === undefined) throw new Error('open it first')
  const answer = how === 'complete' ? engine.complete(request, never) : collect(engine.stream(request, never))
  return answer.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  )
}

const send =
  (body: string, type = 'application/json') =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }

describe('opening an upstream server', () => {
  test('[AG27] an address that does not work is said in one sentence', async () => {
    upstream = await startStubUpstream()
    const cases: [choice: Parameters<typeof open>[0], words: string][] = [
      [{ baseUrl: 'localhost:8000' }, 'is not an address'],
      [{ baseUrl: 'http://user:pass@127.0.0.1/v1' }, 'must have no password'],
      [{ baseUrl: 'http://127.0.0.1:1/v1' }, 'does not answer (ECONNREFUSED). Start it'],
      [{ apiKey: 'wrong' }, 'rejected the API key'],
    ]
    for (const [choice, words] of cases) {
      const error = await open(choice).catch((each: unknown) => each)
      expect(error).toBeInstanceOf(Misuse)
      expect((error as Misuse).message).toContain(words)
      expect((error as Misuse).message).not.toContain('wrong')
    }
  })

  test('[AG27] a model that is not listed is refused; a server without a list is fine', async () => {
    upstream = await startStubUpstream()
    await expect(open({ model: 'other', baseUrl: `${upstream.baseUrl}/` })).rejects.toThrow(
      /does not list the model “other”\. It lists: stub-1, stub-2\. Name one of these with --model/,
    )
    await upstream.stop()
    upstream = await startStubUpstream({ models: undefined })
    expect(await open()).toEqual([])
  })
})

describe('[AG89] a server that is asked which model it has', () => {
  const openAny = async () => {
    engine = await openUpstream(
      { kind: 'upstream', baseUrl: upstream.baseUrl, apiKey: stubKey },
      { contextTokens: 1_000, parallel: 2, say: () => undefined },
    )
    return engine.model
  }

  test('is used if there is one, and refused with a sentence otherwise', async () => {
    upstream = await startStubUpstream({ models: ['llama3'] })
    expect(await openAny()).toBe('llama3')
    await engine?.stop()
    await upstream.stop()
    upstream = await startStubUpstream()
    await expect(openAny()).rejects.toThrow(/offers several models \(stub-1, stub-2\)\. Name one: --upstream/)
    await upstream.stop()
    upstream = await startStubUpstream({ models: ['\u001b[2Jllama3', 'x'.repeat(5_000), ''] })
    await expect(openAny()).rejects.toThrow(/lists no model\. Load one there, or name it/)
  })

  test('can be given up', async () => {
    upstream = await startStubUpstream()
    const opening = openUpstream(
      { kind: 'upstream', baseUrl: upstream.baseUrl, apiKey: stubKey },
      {
        contextTokens: 1_000,
        parallel: 2,
        say: () => undefined,
        signal: AbortSignal.abort(new Error('enough')),
      },
    )
    await expect(opening).rejects.toThrow('enough')
  })
})

describe('answers of strangers', () => {
  test('[AG28] an overflow is recognised in the words of many servers; other refusals are not', async () => {
    upstream = await startStubUpstream()
    await open()
    const overflows: [number, unknown][] = [
      [400, { error: { code: 'context_length_exceeded', message: 'too long' } }],
      [400, { error: { code: 400, type: 'exceed_context_size_error', message: 'request (9 tokens) …' } }],
      [400, { object: 'error', message: "This model's maximum context length is 4096 tokens." }],
      [422, { error: 'inputs tokens + max_new_tokens must be <= 4096' }],
      [413, { error: { message: 'Prompt is too long' } }],
    ]
    for (const [status, body] of overflows) {
      const error = await failureWith((response) => json(response, status, body))
      expect(error).toBeInstanceOf(RequestRefused)
      expect((error as RequestRefused).code).toBe('context_length_exceeded')
    }
    const long = await failureWith((response) => json(response, 422, { detail: 'x'.repeat(200_000) }))
    expect(long).toMatchObject({ code: 'invalid_request' })
    const other = await failureWith((response) => json(response, 400, { error: { message: 'temperature?' } }))
    expect(other).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('temperature?') })
  })

  test('[AG28] its failures keep their meaning, in one short line', async () => {
    upstream = await startStubUpstream()
    await open()
    const busy = await failureWith((response) => {
      response.setHeader('retry-after', '7')
      json(response, 429, {})
    })
    expect(busy).toMatchObject({ status: 429, retryAfterSeconds: 7 })
    const loading = await failureWith((response) =>
      json(response, 503, { error: { message: 'Loading model' } }),
    )
    expect(loading).toMatchObject({
      status: 503,
      message: 'The upstream server is not available: Loading model',
    })
    const long = await failureWith((response) =>
      json(response, 500, { error: `a\u001b[31m\n${'b'.repeat(5_000)}` }),
    )
    expect(long).toMatchObject({ status: 502 })
    expect((long as EngineFailed).message).toMatch(/^[\x20-\x7e]{1,600}$/)
    const moved = await failureWith((response) => response.writeHead(301, { location: 'http://x/' }).end())
    expect((moved as EngineFailed).message).toBe('The upstream server answered with 301')
  })

  test('[AG29] pages, wrong types, endless answers and streams nobody asked for are 502', async () => {
    upstream = await startStubUpstream()
    await open()
    const cases: [behave: (response: ServerResponse) => void, words: string][] = [
      [send('<html>Sign in</html>', 'text/html'), 'not JSON (text/html)'],
      [send('{"choices":[]}'), 'did not answer with a chat completion'],
      [send('[1]'), 'did not answer with a chat completion'],
      [
        send('{"choices":[{"message":{"tool_calls":[{"function":{}}]}}]}'),
        'did not answer with a chat completion',
      ],
      [send('data: {}\n\n', 'text/event-stream'), 'streams although it was not asked to'],
      [(response) => void endless(response), 'more than 16000000 bytes'],
      [
        (response) => {
          response.writeHead(200, { 'content-length': '1000' })
          response.write('{', () => response.destroy())
        },
        'broke off',
      ],
      [
        ({ socket }) =>
          socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
        'closed the connection without an answer',
      ],
    ]
    for (const [behave, words] of cases) {
      const error = await failureWith(behave)
      expect(error).toBeInstanceOf(EngineFailed)
      expect((error as EngineFailed).message).toContain(words)
    }
  })

  test('[AG29] the same for streams', async () => {
    upstream = await startStubUpstream()
    await open()
    const event = (data: string) => send(`data: ${data}\n\n`, 'text/event-stream; charset=utf-8')
    const cases: [behave: (response: ServerResponse) => void, words: string][] = [
      [send(JSON.stringify(completion(request))), 'does not stream'],
      [event('{'), 'not JSON'],
      [event('{"choices":[{"delta":{"content":5}}]}'), 'not a chat completion'],
      [send(`data: ${'x'.repeat(1_500_000)}`, 'text/event-stream'), 'too long'],
      [send('error: {"code":500,"message":"old style"}\n\n', 'text/event-stream'), 'old style'],
    ]
    for (const [behave, words] of cases) {
      const error = await failureWith(behave, 'stream')
      expect(error).toBeInstanceOf(EngineFailed)
      expect((error as EngineFailed).message).toContain(words)
    }
    const overflow = await failureWith(
      event('{"error":{"code":400,"type":"exceed_context_size_error","message":"n_ctx"}}'),
      'stream',
    )
    expect(overflow).toMatchObject({ code: 'context_length_exceeded' })
  })

  test('[AG29] a stream without an end is cut off', async () => {
    const piece = Buffer.from(': still here\n'.repeat(80_000))
    async function* endlessly() {
      while (true) yield piece
    }
    await expect(collect(readEvents(endlessly(), 'The server'))).rejects.toThrow('does not stop streaming')
  })

  test('[AG29] an event that comes byte by byte takes no longer than its bytes', async () => {
    const byte = Buffer.from('x')
    async function* byteByByte() {
      while (true) yield byte
    }
    await expect(collect(readEvents(byteByByte(), 'The server'))).rejects.toThrow('too long')
  })

  test('[AG29] events may come in any pieces, with comments and either kind of line end', async () => {
    upstream = await startStubUpstream()
    await open()
    const bytes = Buffer.from(
      ': hello\r\n\r\nevent: x\r\ndata: {"choices":[{"delta":{"content":"Grü"}}]}\r\n\r\ndata:{"choices":[{"delta":{"content":"ße"}}]}\n\ndata: [DONE]\n\n',
    )
    upstream.behave(async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const byte of bytes) response.write(Buffer.from([byte]))
      response.end()
    })
    const chunks = engine === undefined ? [] : await collect(engine.stream(request, never))
    expect(chunks.map(({ choices }) => choices[0]?.delta.content).join('')).toBe('Grüße')
  })
})

describe('[AG14] null counts as left out', () => {
  const call = (part: object) => ({ index: 0, id: null, type: null, function: { name: null, ...part } })
  const chunkOf = (delta: object, finish_reason: string | null = '') => ({
    id: 'c',
    created: null,
    choices: [{ index: 0, delta: { role: null, content: null, tool_calls: null, ...delta }, finish_reason }],
    usage: { prompt_tokens: null },
  })

  test('in a stream', async () => {
    upstream = await startStubUpstream()
    await open()
    const chunks = [
      chunkOf({ role: 'assistant' }),
      chunkOf({ tool_calls: [{ ...call({ name: 'respond', arguments: '' }), id: 'call_1' }] }),
      chunkOf({ tool_calls: [call({ arguments: '{}' })] }),
      chunkOf({}, 'tool_calls'),
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
    ]
    const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
    upstream.behave(({ response }) =>
      send(events.map((event) => `data: ${event}\n\n`).join(''), 'text/event-stream')(response),
    )
    const read = engine === undefined ? [] : await collect(engine.stream(request, never))
    expect(read.map(({ choices }) => choices[0]?.finish_reason)).toEqual([
      null,
      null,
      null,
      'tool_calls',
      undefined,
    ])
    expect(read[2]?.choices[0]?.delta).toEqual({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] })
    expect(read.map(({ usage }) => usage?.total_tokens)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      7,
    ])
  })

  test('in an answer', async () => {
    upstream = await startStubUpstream()
    await open()
    const message = { role: null, content: 'Hello', tool_calls: null }
    upstream.behave(({ response }) =>
      json(response, 200, { choices: [{ message, finish_reason: 'stop' }], usage: { total_tokens: null } }),
    )
    const answer = await engine?.complete(request, never)
    expect(answer?.choices[0]?.message).toEqual({ role: 'assistant', content: 'Hello' })
    expect(answer?.usage).toBeUndefined()
  })
})

/** Sends until the other side has had enough. */
function endless(response: ServerResponse): void {
  const piece = Buffer.alloc(1_000_000, 'x')
  const more = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', more)
  response.on('error', () => undefined)
  more()
}
