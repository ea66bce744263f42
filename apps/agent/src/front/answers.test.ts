import { ModelServerError } from '@atrium/agent-protocol'
import { waitUntil } from '@atrium/testkit'
import { APIError } from 'openai'
import { Check } from 'typebox/value'
import { afterEach, describe, expect, test } from 'vitest'
import { collect } from '../../test/collect.ts'
import {
  errorOf,
  type FrontWorld,
  frontKey,
  holdRequests,
  named,
  post,
  respond,
  startFrontWorld,
  turn,
} from '../../test/front-world.ts'
import { completion, json, type StubExchange, streamCompletion } from '../../test/stub-upstream.ts'

let world: FrontWorld

afterEach(() => world?.stop())

const callOf = (answer: { choices: { message: { tool_calls?: unknown[] } }[] }) =>
  answer.choices[0]?.message.tool_calls?.[0] as { function: { name: string; arguments: string } } | undefined

describe('tools', () => {
  test('[AG10] a named choice becomes that tool alone, required', async () => {
    world = await startFrontWorld()
    const other = { ...respond, function: { ...respond.function, name: 'other' } }
    const answer = await world.openai.chat.completions.create({ ...turn, tools: [other, respond] })
    expect(callOf(answer)?.function).toEqual({ name: 'respond', arguments: '{"choice":"left"}' })
    expect(world.upstream.exchanges[0]?.request).toMatchObject({ tools: [respond], tool_choice: 'required' })
  })

  test('[AG11] with none no engine sees a tool; with auto and required it sees all', async () => {
    world = await startFrontWorld()
    for (const choice of ['none', 'auto', 'required'] as const)
      await world.openai.chat.completions.create({ ...turn, tool_choice: choice })
    const [none, auto, required] = world.upstream.exchanges.map(({ request }) => request)
    expect([none?.tools, none?.tool_choice]).toEqual([undefined, undefined])
    expect([auto?.tools, auto?.tool_choice]).toEqual([[respond], 'auto'])
    expect([required?.tools, required?.tool_choice]).toEqual([[respond], 'required'])
  })

  test('[AG12] arguments that do not fit are tried once more, with what was wrong', async () => {
    world = await startFrontWorld()
    world.upstream.behave(({ request, response }) =>
      json(response, 200, completion(request, { choice: request.messages.length === 1 ? 'up' : 'right' })),
    )
    const answer = await world.openai.chat.completions.create(turn)
    expect(callOf(answer)?.function.arguments).toBe('{"choice":"right"}')
    expect(answer.usage).toEqual({ prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 })
    const [, again] = world.upstream.exchanges.map(({ request }) => request.messages)
    expect(again?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(again?.[2]?.content).toContain('/choice must be equal to one of the allowed values')
  })

  test('[AG13] a second wrong answer is an honest 502: schema, JSON, another tool, no call, cut off', async () => {
    world = await startFrontWorld()
    const answers: [
      change: (call: { name: string; arguments: string }) => void,
      words: string,
      attempts: number,
    ][] = [
      [(call) => (call.arguments = '{"choice":"up"}'), '/choice', 2],
      [(call) => (call.arguments = '{"choice":'), 'not a JSON object', 2],
      [(call) => (call.arguments = '[]'), 'not a JSON object', 2],
      [(call) => (call.name = 'other'), 'not one of the tools', 2],
    ]
    for (const [change, words, attempts] of answers) {
      world.upstream.exchanges.length = 0
      world.upstream.behave(({ request, response }) => {
        const answer = completion(request) as Parameters<typeof callOf>[0]
        const call = callOf(answer)
        if (call !== undefined) change(call.function)
        json(response, 200, answer)
      })
      const error = await errorOf(await post(world.front, turn))
      expect([error.code, error.message]).toEqual(['invalid_tool_call', expect.stringContaining(words)])
      expect(world.upstream.exchanges).toHaveLength(attempts)
    }
    world.upstream.behave(({ request, response }) =>
      json(response, 200, completion({ ...request, tool_choice: 'auto' })),
    )
    expect((await errorOf(await post(world.front, turn))).message).toContain('without calling a tool')
    world.upstream.exchanges.length = 0
    world.upstream.behave(({ request, response }) => {
      const answer = completion(request, 'x') as { choices: { finish_reason: string }[] }
      for (const choice of answer.choices) choice.finish_reason = 'length'
      json(response, 200, answer)
    })
    expect((await errorOf(await post(world.front, turn))).message).toContain('raise max_tokens')
    expect(world.upstream.exchanges).toHaveLength(1) // Another attempt would end at the same place.
  })

  test('[AG14] an answer without what OpenAI has is completed: ids, arguments as text, content', async () => {
    world = await startFrontWorld()
    world.upstream.behave(({ response }) =>
      json(response, 200, {
        choices: [
          { message: { tool_calls: [{ function: { name: 'respond', arguments: { choice: 'left' } } }] } },
        ],
      }),
    )
    const answer = await world.openai.chat.completions.create(turn)
    expect(callOf(answer)).toMatchObject({
      id: expect.stringMatching(/^call_/),
      type: 'function',
      function: { name: 'respond', arguments: '{"choice":"left"}' },
    })
    expect([answer.object, answer.model]).toEqual(['chat.completion', 'stub-1'])
  })
})

describe('streams', () => {
  test('[AG15] text and calls arrive in pieces and can be put together', async () => {
    world = await startFrontWorld()
    world.upstream.behave((exchange) => streamCompletion(exchange))
    const texts = await world.openai.chat.completions.create({ ...turn, tool_choice: 'auto', stream: true })
    const pieces: string[] = []
    for await (const chunk of texts) pieces.push(chunk.choices[0]?.delta.content ?? '')
    expect(pieces.filter((piece) => piece !== '')).toEqual(['Hel', 'lo'])
    const final = await world.openai.chat.completions
      .stream({ ...turn, tool_choice: named })
      .finalChatCompletion()
    expect(callOf(final)?.function.arguments).toBe('{"choice":"left"}')
    const raw = await (await post(world.front, { ...turn, stream: true })).text()
    expect(raw).toMatch(/data: \[DONE\]\n\n$/)
  })

  test('[AG16] what fails before the first piece has a status; afterwards it is an event without [DONE]', async () => {
    world = await startFrontWorld()
    world.upstream.behave(({ response }) => json(response, 500, { error: { message: 'out of memory' } }))
    const early = await post(world.front, { ...turn, stream: true })
    expect([early.status, (await errorOf(early)).message]).toEqual([
      502,
      expect.stringContaining('out of memory'),
    ])
    const late: [how: (exchange: StubExchange) => void | Promise<void>, words: string][] = [
      [(exchange) => streamCompletion(exchange, { choice: 'up' }), '/choice'],
      [
        ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write('data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n')
          response.end('data: {"error":{"code":500,"message":"the slot broke"}}\n\n')
        },
        'the slot broke',
      ],
      [
        ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.end('data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n')
        },
        'broke off',
      ],
    ]
    for (const [behave, words] of late) {
      world.upstream.behave(behave)
      const response = await post(world.front, { ...turn, stream: true })
      expect(response.status).toBe(200)
      const events = (await response.text()).trim().split('\n\n')
      expect(events.at(-1)).toContain(words)
      expect(Check(ModelServerError, JSON.parse(events.at(-1)?.slice('data: '.length) ?? ''))).toBe(true)
      const stream = await world.openai.chat.completions.create({ ...turn, stream: true })
      await expect(collect(stream)).rejects.toBeInstanceOf(APIError)
    }
  })

  test('[AG17] a client that leaves ends the work of the engine, plain and streamed', async () => {
    world = await startFrontWorld()
    const held = holdRequests(world)
    for (const stream of [false, true]) {
      const client = new AbortController()
      const answer = fetch(`${world.front.address}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${frontKey}` },
        body: JSON.stringify({ ...turn, stream }),
        signal: client.signal,
      })
      await waitUntil(() => held.length === 1 || 'the request is not there yet')
      client.abort()
      await expect(answer).rejects.toThrow()
      held.length = 0
    }
    await waitUntil(() => world.upstream.abandoned === 2 || `${world.upstream.abandoned} were abandoned`)
    await waitUntil(() => world.front.load().underWay === 0 || 'places are still taken')
    expect(world.entries.map(({ status }) => status)).toEqual([499, 499])
  })
})
