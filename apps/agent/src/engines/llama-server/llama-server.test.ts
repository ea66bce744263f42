import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { waitUntil } from '@atrium/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { collect } from '../../../test/collect.ts'
import { frontKey, named, openaiOf } from '../../../test/front-world.ts'
import { type Front, startFront } from '../../front/front.ts'
import { Misuse } from '../../misuse.ts'
import type { Engine } from '../engine.ts'
import { llamaServerArguments, llamaServerEnvironment } from './arguments.ts'
import { type LlamaServerLimits, openLlamaServer } from './llama-server.ts'

const binary = fileURLToPath(new URL('../../../test/stub-llama-server.mjs', import.meta.url))

/** Modes of the stub; see there. */
type Mode = '' | 'never ready' | 'late' | 'dies at start' | 'ignores SIGTERM'

let engine: Engine | undefined
let front: Front | undefined

afterEach(async () => {
  await front?.stop()
  await engine?.stop()
  front = undefined
  engine = undefined
})

async function open(
  mode: Mode = '',
  limits: LlamaServerLimits = {},
  options: { contextTokens?: number; signal?: AbortSignal } = {},
): Promise<Engine> {
  engine = await openLlamaServer(
    { kind: 'llama-server', binary, modelPath: '/models/a model.gguf', model: 'tiny' },
    { contextTokens: 512, parallel: 4, say: () => undefined, ...options },
    { env: { ...process.env, STUB_LLAMA: mode, LLAMA_ARG_CTX_SIZE: '1' }, ...limits },
  )
  return engine
}

async function serve(mode: Mode = '', limits: LlamaServerLimits = {}) {
  front = await startFront({ engine: await open(mode, limits), apiKey: frontKey, host: '127.0.0.1', port: 0 })
  return openaiOf(front)
}

const tool = { type: 'function', function: { name: 'respond', parameters: { type: 'object' } } } as const
const ask = (content: string) => ({
  model: 'tiny',
  messages: [{ role: 'user' as const, content }],
  tools: [tool],
  tool_choice: named,
})

/** The children of this process that are still there. */
const stubsRunning = (): string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)

describe('llama-server behind the front', () => {
  test('[AG30] a call forced by name works although llama-server takes it as auto', async () => {
    const openai = await serve()
    const answer = await openai.chat.completions.create(ask('Hello'))
    const [call] = answer.choices[0]?.message.tool_calls ?? []
    expect(call).toMatchObject({ type: 'function', function: { name: 'respond' } })
    const { argv } = JSON.parse((call as { function: { arguments: string } }).function.arguments)
    expect(argv).toEqual([
      ...[
        '--model',
        '/models/a model.gguf',
        '--alias',
        'tiny',
        '--host',
        '127.0.0.1',
        '--port',
        expect.any(String),
      ],
      ...['--ctx-size', '2048', '--parallel', '4', '--cont-batching', '--jinja', '--no-context-shift'],
    ])
    const streamed = await openai.chat.completions.stream(ask('Hello')).finalChatCompletion()
    expect(streamed.choices[0]?.message.tool_calls).toHaveLength(1)
  })

  test('[AG31] a request that is too long is 400 context_length_exceeded', async () => {
    const openai = await serve()
    for (const stream of [false, true])
      await expect(
        openai.chat.completions.create({ ...ask('x'.repeat(4_000)), stream }),
      ).rejects.toMatchObject({
        status: 400,
        code: 'context_length_exceeded',
        message: expect.stringContaining('512'),
      })
  })

  test('[AG32] when it dies, requests under way and new ones are 503 with the reason and its last output', async () => {
    for (const stream of [false, true]) {
      const openai = await serve()
      const answer = stream
        ? openai.chat.completions.create({ ...ask('die now'), stream }).then((chunks) => collect(chunks))
        : openai.chat.completions.create(ask('die now'))
      await expect(answer).rejects.toThrow(/has ended \(signal SIGKILL\).*ggml_cuda: out of memory/)
      expect(await engine?.lost).toMatch(/signal SIGKILL/)
      await expect(openai.chat.completions.create(ask('Hello'))).rejects.toMatchObject({
        status: 503,
        code: 'engine_unavailable',
        message: expect.stringContaining('out of memory'),
      })
      await front?.stop()
    }
  })
})

describe('starting and stopping it', () => {
  test('[AG33] it waits until the model is loaded', async () => {
    const { countTokens } = await open('late')
    expect(
      await countTokens({ messages: [{ role: 'user', content: 'x' }] }, AbortSignal.any([])),
    ).toBeUndefined()
  })

  test('[AG34] one that is never ready is stopped', async () => {
    await expect(open('never ready', { readyWithinMs: 1_000 })).rejects.toThrow('was not ready after 1 s.')
    expect(stubsRunning()).toEqual([])
  })

  test('[AG35] one that dies at the start is told with its last output', async () => {
    await expect(open('dies at start')).rejects.toThrow(
      "llama-server has ended (exit code 1). Its last output: “srv load_model: failed to load model, '/models/a model.gguf' | main: exiting due to model loading error”.",
    )
    await expect(open('dies at start')).rejects.toBeInstanceOf(Misuse)
  })

  test('[AG36] a file that is missing or no program is told', async () => {
    const options = { contextTokens: 512, parallel: 1, say: () => undefined }
    const choice = { kind: 'llama-server', modelPath: '/m', model: 'tiny' } as const
    await expect(openLlamaServer({ ...choice, binary: '/nowhere/llama-server' }, options)).rejects.toThrow(
      'llama-server cannot be started: there is no such file.',
    )
    await expect(
      openLlamaServer({ ...choice, binary: fileURLToPath(import.meta.url) }, options),
    ).rejects.toThrow('llama-server cannot be started: the file may not be executed.')
  })

  test('[AG37] one that ignores SIGTERM is killed; stopping is not a loss', async () => {
    const { stop, lost } = await open('ignores SIGTERM', { stopGraceMs: 50 })
    let isLost = false
    lost.then(() => {
      isLost = true
    })
    await Promise.all([stop(), stop()])
    expect([stubsRunning(), isLost]).toEqual([[], false])
  })

  test('[AG38] when another program takes the port first, it tries another one', async () => {
    const other = createServer((_, response) => response.end('{"status":"ok"}')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { complete } = await open('', { findPort: async () => port })
    const answer = await complete({ messages: [{ role: 'user', content: 'x' }] }, AbortSignal.any([]))
    expect(answer.choices[0]?.message.content).toBe('plain text')
    other.close()
  })

  test('[AG39] a context larger than the model’s is refused, and nothing is left running', async () => {
    await expect(open('', {}, { contextTokens: 16_384 })).rejects.toThrow(
      'The model has a context of 8192 tokens, not 16384. Start with --ctx 8192.',
    )
    expect(stubsRunning()).toEqual([])
  })

  test('[AG40] stopping the tool while it loads stops it', async () => {
    const controller = new AbortController()
    const opening = open('never ready', {}, { signal: controller.signal })
    await waitUntil(() => stubsRunning().length > 0 || 'it has not started')
    controller.abort()
    await expect(opening).rejects.toThrow('aborted')
    expect(stubsRunning()).toEqual([])
  })

  test('[AG41] MTP, threads and layers are passed on only when asked for', () => {
    const settings = { modelPath: 'm', model: 'x', port: 1, contextTokens: 100, parallel: 2 }
    expect(llamaServerArguments(settings).join(' ')).not.toMatch(/spec-type|threads|gpu-layers/)
    expect(llamaServerArguments({ ...settings, mtp: true, threads: 3, gpuLayers: 0 }).join(' ')).toContain(
      '--spec-type draft-mtp --threads 3 --n-gpu-layers 0',
    )
  })
})

test('[AG30] [AG51] its environment has no flags or keys of ours, and the order of cards by which the model was chosen', () => {
  const env = { PATH: '/bin', LLAMA_ARG_CTX_SIZE: '1', ATRIUM_UPSTREAM_KEY: 'sk', CUDA_VISIBLE_DEVICES: '0' }
  expect(llamaServerEnvironment(env, 'key')).toEqual({
    PATH: '/bin',
    CUDA_VISIBLE_DEVICES: '0',
    CUDA_DEVICE_ORDER: 'PCI_BUS_ID',
    LLAMA_API_KEY: 'key',
  })
})
