import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { ModelServerError } from '@atrium/agent-protocol'
import { waitUntil } from '@atrium/testkit'
import { Check } from 'typebox/value'
import { afterEach, describe, expect, test } from 'vitest'
import {
  errorOf,
  type FrontWorld,
  frontKey,
  openaiOf,
  post,
  respond,
  startFrontWorld,
  turn,
} from '../../test/front-world.ts'
import { stubKey } from '../../test/stub-upstream.ts'

let world: FrontWorld

afterEach(() => world?.stop())

describe('who may ask', () => {
  test('[AG1] every path and method wants the key, and a wrong one is 401', async () => {
    world = await startFrontWorld()
    const { address } = world.front
    for (const authorization of [
      undefined,
      'Bearer atr_wrong',
      `Basic ${frontKey}`,
      `Bearer ${frontKey}x`,
      'Bearer ',
    ])
      for (const [method, path] of [
        ['GET', '/v1/models'],
        ['POST', '/v1/chat/completions'],
        ['GET', '/'],
        ['OPTIONS', '/v1/models'],
        ['GET', `/v1/models?api_key=${frontKey}`],
      ] as const) {
        const response = await fetch(address + path, {
          method,
          headers: authorization ? { authorization } : {},
        })
        expect([response.status, method, path, authorization]).toEqual([401, method, path, authorization])
        expect(await errorOf(response)).toMatchObject({
          code: 'invalid_api_key',
          type: 'invalid_request_error',
        })
      }
    expect(world.upstream.exchanges).toEqual([])
    await expect(openaiOf(world.front, 'atr_wrong').models.list()).rejects.toMatchObject({ status: 401 })
  })

  test('[AG2] the log names routes, never a key or a word of a prompt', async () => {
    world = await startFrontWorld()
    await post(world.front, { ...turn, messages: [{ role: 'user', content: 'a secret word' }] })
    await fetch(`${world.front.address}/${frontKey}?key=${frontKey}`, {
      headers: { authorization: `Bearer ${frontKey}` },
    })
    await post(world.front, turn, { authorization: 'Bearer atr_wrong' })
    await waitUntil(() => world.entries.length === 3 || 'not all are logged')
    expect(world.entries.map(({ route, status }) => [route, status])).toEqual([
      ['/v1/chat/completions', 200],
      [undefined, 404],
      [undefined, 401],
    ])
    expect(JSON.stringify(world.entries)).not.toMatch(/secret|atr_/)
  })
})

describe('what it offers', () => {
  test('[AG3] the official client lists and finds the model', async () => {
    world = await startFrontWorld()
    const { data } = await world.openai.models.list()
    expect(data.map(({ id }) => id)).toEqual(['stub-1'])
    expect((await world.openai.models.retrieve('stub-1')).id).toBe('stub-1')
    await expect(world.openai.models.retrieve('gpt/4')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
  })

  test('[AG4] other paths are 404 and other methods 405, in the same form', async () => {
    world = await startFrontWorld()
    const headers = { authorization: `Bearer ${frontKey}` }
    const notFound = await fetch(`${world.front.address}/v1/embeddings`, { headers })
    expect([notFound.status, (await errorOf(notFound)).code]).toEqual([404, 'unknown_url'])
    const wrongMethod = await fetch(`${world.front.address}/v1/chat/completions`, { headers })
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await errorOf(wrongMethod)).message).toContain('POST')
  })

  test('[AG5] bad requests are 400 and say what is wrong', async () => {
    world = await startFrontWorld()
    let deep: unknown = 'x'
    for (let level = 0; level < 70; level++) deep = [deep]
    const cases: [body: unknown, param: string | null, words: string][] = [
      ['{"messages": [}', null, 'not valid JSON'],
      ['', null, 'not valid JSON'],
      [[], null, 'object'],
      [{}, 'messages', 'is required'],
      [{ messages: [] }, 'messages', 'messages'],
      [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role', 'messages[0].role'],
      [{ messages: [{ role: 'user' }] }, 'messages[0].content', 'is required'],
      [{ ...turn, temperature: 3 }, 'temperature', 'temperature'],
      [{ ...turn, n: 2 }, 'n', 'one choice'],
      [{ ...turn, functions: [] }, 'functions', 'use tools'],
      [
        { ...turn, tool_choice: { type: 'function', function: { name: 'other' } } },
        'tool_choice',
        'no tool “other”',
      ],
      [{ ...turn, tools: undefined }, 'tool_choice', 'only with tools'],
      [{ ...turn, tools: [respond, respond] }, 'tools[1].function.name', 'twice'],
      [
        { ...turn, tools: [{ type: 'function', function: { name: 'a b' } }] },
        'tools[0].function.name',
        'letters',
      ],
      [
        { ...turn, tools: [{ type: 'function', function: { name: 'a', parameters: { pattern: '(' } } }] },
        'tools[0].function.parameters',
        'not a JSON Schema',
      ],
      [
        { ...turn, tools: [{ type: 'function', function: { name: 'respond', parameters: { $ref: '#' } } }] },
        'tools[0].function.parameters',
        'not a JSON Schema',
      ],
      [{ ...turn, metadata: deep }, null, 'nested deeper'],
    ]
    for (const [body, param, words] of cases) {
      const response = await post(world.front, body)
      const error = await errorOf(response)
      expect([response.status, error.type], words).toEqual([400, 'invalid_request_error'])
      expect(error.message).toContain(words)
      if (param !== null) expect(error.param).toBe(param)
    }
    expect(world.upstream.exchanges).toEqual([])
  })

  test('[AG6] another model than the one that is served is 404', async () => {
    world = await startFrontWorld()
    const response = await post(world.front, { ...turn, model: 'gpt-5' })
    expect([response.status, (await errorOf(response)).code]).toEqual([404, 'model_not_found'])
    expect((await post(world.front, { ...turn, model: undefined })).status).toBe(200)
  })

  test('[AG7] a body that is too large is 413, whether it says so or not', async () => {
    world = await startFrontWorld()
    const large = JSON.stringify({ ...turn, messages: [{ role: 'user', content: 'x'.repeat(5_000_000) }] })
    expect((await post(world.front, large)).status).toBe(413)
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large))
        controller.close()
      },
    })
    const chunked = await fetch(`${world.front.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${frontKey}` },
      body,
      duplex: 'half',
    } as RequestInit)
    expect([chunked.status, (await errorOf(chunked)).code]).toEqual([413, 'request_too_large'])
    const zipped = await post(world.front, 'x', { 'content-encoding': 'gzip' })
    expect(zipped.status).toBe(415)
  })

  test('[AG8] what is not HTTP is refused in the same form', async () => {
    world = await startFrontWorld()
    const socket = connect(world.front.port, '127.0.0.1')
    socket.end('nonsense\r\n\r\n')
    const answer = await text(socket)
    expect(answer).toContain('HTTP/1.1 400')
    expect(Check(ModelServerError, JSON.parse(answer.split('\r\n\r\n')[1] ?? ''))).toBe(true)
  })

  test('[AG1] requests that Node would refuse itself need the key too', async () => {
    world = await startFrontWorld()
    for (const header of ['x-no-host: 1', 'host: x\r\nexpect: wonders']) {
      const socket = connect(world.front.port, '127.0.0.1')
      socket.end(`GET /v1/models HTTP/1.1\r\n${header}\r\nconnection: close\r\n\r\n`)
      const answer = await text(socket)
      expect(answer).toContain('HTTP/1.1 401')
      expect(Check(ModelServerError, JSON.parse(answer.split('\r\n\r\n')[1] ?? ''))).toBe(true)
    }
  })
})

describe('starting', () => {
  test('[AG25] a taken port is said in one sentence', async () => {
    world = await startFrontWorld()
    await expect(startFrontWorld({ port: world.front.port })).rejects.toThrow(
      `Port ${world.front.port} is taken by another program. Choose another one: --port <number>`,
    )
  })

  test('[AG26] the key of the upstream server stays with us', async () => {
    world = await startFrontWorld()
    await post(world.front, turn)
    expect(world.upstream.exchanges[0]?.headers.authorization).toBe(`Bearer ${stubKey}`)
  })
})
