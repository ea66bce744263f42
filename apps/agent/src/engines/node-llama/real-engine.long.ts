import { createTemporaryFolder } from '@atrium/testkit'
import type OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frontKey, named, openaiOf } from '../../../test/front-world.ts'
import { installWithinMs, nodeLlamaFolder, writeTinyModel } from '../../../test/node-llama-folder.ts'
import { type Front, startFront } from '../../front/front.ts'
import type { Engine, EngineOptions } from '../engine.ts'
import { openNodeLlama } from './node-llama.ts'

/** llama.cpp itself, with a model of a megabyte, behind the front. test/serve-command.long.ts serves it with the command. */

const contextTokens = 2_048
const parallel = 2
const home = createTemporaryFolder('real-engine')
const model = 'tiny'

let engine: Engine
let front: Front
let openai: OpenAI

const open = async (
  options: Partial<EngineOptions> = {},
  modelPath = `${home.path}/tiny.gguf`,
): Promise<Engine> =>
  openNodeLlama(
    { kind: 'node-llama-cpp', folder: await nodeLlamaFolder(), modelPath, model },
    { contextTokens, parallel, threads: 1, say: () => undefined, ...options },
  )

beforeAll(async () => {
  writeTinyModel(home.path)
  engine = await open()
  front = await startFront({ engine, apiKey: frontKey, host: '127.0.0.1', port: 0 })
  openai = openaiOf(front)
}, installWithinMs)

afterAll(async () => {
  await front?.stop()
  await engine?.stop()
  home.remove()
})

const respond = {
  type: 'function',
  function: {
    name: 'respond',
    description: 'Give your answer',
    parameters: {
      type: 'object',
      properties: {
        choice: { enum: ['left', 'right'] },
        rating: { type: 'integer', minimum: 1, maximum: 7 },
        reason: { type: 'string', minLength: 1, maxLength: 200 },
      },
      required: ['choice', 'rating', 'reason'],
      additionalProperties: false,
    },
  },
} as const

const turn = {
  model,
  messages: [
    { role: 'system', content: 'You are a participant.' },
    { role: 'user', content: 'Left or right? Grüße 🙂' },
  ],
  tools: [respond],
  tool_choice: named,
  temperature: 0,
} satisfies OpenAI.ChatCompletionCreateParamsNonStreaming

function argumentsOf(answer: OpenAI.ChatCompletion): Record<string, unknown> {
  const [call] = answer.choices[0]?.message.tool_calls ?? []
  if (call?.type !== 'function') throw new Error(`no call: ${JSON.stringify(answer)}`)
  return { name: call.function.name, ...JSON.parse(call.function.arguments) }
}

const expected = {
  name: 'respond',
  choice: expect.stringMatching(/^(left|right)$/),
  rating: expect.any(Number),
  reason: 'hi',
}

describe('a real model', () => {
  test('[AG43] it calls `respond`: required, forced by name, streamed', async () => {
    const plain = await openai.chat.completions.create({ ...turn, tool_choice: 'required' })
    expect(argumentsOf(plain)).toEqual(expected)
    expect(plain.choices[0]?.finish_reason).toBe('tool_calls')
    expect(plain.usage?.prompt_tokens).toBeGreaterThan(100)
    expect(plain.usage?.completion_tokens).toBeGreaterThan(20)
    expect(argumentsOf(await openai.chat.completions.create(turn))).toEqual(expected)
    const stream = openai.chat.completions.stream({ ...turn, stream_options: { include_usage: true } })
    let pieces = 0
    stream.on('chunk', () => {
      pieces += 1
    })
    const streamed = await stream.finalChatCompletion()
    expect(argumentsOf(streamed)).toEqual(expected)
    expect(pieces).toBeGreaterThan(20)
    expect(streamed.usage?.total_tokens).toBeGreaterThan(100)
  })

  test('[AG44] with several tools it calls one of them; with sampling the grammar still holds', async () => {
    const tool = (name: string, properties: object) => ({
      type: 'function' as const,
      function: { name, parameters: { type: 'object', properties, additionalProperties: false } },
    })
    const answer = await openai.chat.completions.create({
      ...turn,
      tools: [tool('say', { yes: { type: 'boolean' } }), tool('say_later', { after: { enum: [1, 2] } })],
      tool_choice: 'required',
      temperature: 2,
      seed: 1,
    })
    expect([
      { name: 'say', yes: expect.any(Boolean) },
      { name: 'say_later', after: expect.any(Number) },
    ]).toContainEqual(argumentsOf(answer))
  })

  test('[AG45] with auto and none it answers with text, also after a result of a tool', async () => {
    for (const choice of ['auto', 'none'] as const) {
      const answer = await openai.chat.completions.create({ ...turn, tool_choice: choice })
      expect(answer.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'hi' } })
    }
    const call = {
      id: 'c1',
      type: 'function' as const,
      function: { name: 'respond', arguments: '{"choice":"left"}' },
    }
    const later = await openai.chat.completions.create({
      ...turn,
      tool_choice: 'auto',
      messages: [
        ...turn.messages,
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'Noted.\n' },
      ],
    })
    expect(later.choices[0]?.message.role).toBe('assistant')
    const orphan = [...turn.messages, { role: 'tool' as const, tool_call_id: 'c2', content: 'x' }]
    await expect(openai.chat.completions.create({ ...turn, messages: orphan })).rejects.toMatchObject({
      status: 400,
    })
  })

  test('[AG46] a request that does not fit is 400, and nothing is cut', async () => {
    for (const stream of [false, true])
      await expect(
        openai.chat.completions.create({
          ...turn,
          stream,
          messages: [{ role: 'user', content: 'x'.repeat(contextTokens) }],
        }),
      ).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'messages' })
    await expect(openai.chat.completions.create({ ...turn, max_tokens: 5 })).rejects.toMatchObject({
      status: 502,
      code: 'invalid_tool_call',
      message: expect.stringContaining('raise max_tokens'),
    })
  })

  test('[AG48] what it cannot load or hold is said in one sentence', async () => {
    await expect(open({ contextTokens: 8_192 })).rejects.toThrow(
      'The model has a context of 4096 tokens, not 8192. Start with --ctx 4096.',
    )
    await expect(open({}, import.meta.filename)).rejects.toThrow(/cannot be loaded as a model/)
  })
})
