import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '@atrium/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startHttp } from '../../test/start-http.ts'
import { tinyGguf } from '../presets/test/tiny-gguf.ts'
import { llamaBuildFor } from './serve/llama-builds.ts'
import { createRequestLog } from './serve.ts'
import { createServeWorld } from './test/serve-world.ts'

let world: ReturnType<typeof createServeWorld>
const servers: { stop(): void }[] = []
beforeEach(() => {
  world = createServeWorld()
})
afterEach(() => {
  for (const server of servers.splice(0)) server.stop()
  world.remove()
})

describe('serve', () => {
  test('[AG84] prints READY with the base URL and the key, and stops everything with Ctrl-C', async () => {
    const binary = await world.addLlamaServer('bin')
    const model = await world.addModel(tinyGguf())
    expect(await world.tried('--model', model, '--port', '0')).toBe(0)
    const key = JSON.parse(
      await readFile(join(world.home, '.config/atrium-agent/config.json'), 'utf8'),
    ).apiKey
    expect(world.written.stdout).toMatch(
      /^READY\n {2}baseUrl {2}http:\/\/127\.0\.0\.1:0\/v1\n {2}apiKey {3}atr_/,
    )
    expect(world.written.stdout).toContain(key)
    expect(world.written.stdout).toContain(`  engine   llama-server, ${binary}\n`)
    expect(world.written.stdout).toContain('Check it:         atrium-agent verify\n')
    expect(world.written.stderr).not.toContain('without a GPU')
    expect(world.log).toEqual([
      {
        opened: { kind: 'llama-server', binary, modelPath: model, model: 'tiny' },
        contextTokens: 32_768,
        parallel: 8,
        mtp: false,
        threads: 8,
        gpuLayers: 999,
      },
      { started: { apiKey: key, host: '127.0.0.1', port: 0 } },
      'front stopped',
      'engine stopped',
    ])
  })

  test('[AG127] in a clone it names the commands as they are called there', async () => {
    await world.addLlamaServer('bin')
    world.io.env.npm_lifecycle_event = 'agent'
    await world.tried('--model', await world.addModel(tinyGguf()), '--port', '0')
    expect(world.written.stdout).toMatch(/: +npm run agent -- verify\n.*: +npm run agent -- tunnel --port/)
    await expect(world.serve('--prot', '1')).rejects.toThrow('See: npm run agent -- serve --help')
  })

  test('[AG60] says that answers take long without a GPU', async () => {
    world.hardware.gpus = []
    await world.addLlamaServer('bin')
    await world.tried('--model', await world.addModel(tinyGguf()), '--port', '0')
    expect(world.written.stderr).toContain('without a GPU answers take long')
  })

  test('[AG93] says where it runs while it runs; a file that cannot be written does not stop it', async () => {
    await world.addLlamaServer('bin')
    const model = await world.addModel(tinyGguf())
    const folder = join(world.home, '.config/atrium-agent')
    const { startFront } = world.deps
    let kept: string[] = []
    world.deps.startFront = async (options) => ({
      ...(await startFront(options)),
      async stop() {
        kept = await readdir(folder)
      },
    })
    expect(await world.tried('--model', model, '--port', '0')).toBe(0)
    expect(kept).toEqual(['config.json'])
    await mkdir(join(folder, 'serving.json', 'in the way'), { recursive: true })
    const again = createServeWorld()
    again.io.env = world.io.env
    expect(await again.tried('--model', model, '--port', '0')).toBe(0)
    expect(again.written.stderr).toMatch(/serving\.json cannot be written .* verify needs --base-url/)
    again.remove()
  })

  test('[AG84] --json prints one line for programs; the key stays the same until --regenerate-key', async () => {
    await world.addLlamaServer('bin')
    const model = await world.addModel(tinyGguf())
    await world.tried('--model', model, '--port', '0', '--json', '--max-queue', '5', '--host', '0.0.0.0')
    const ready = JSON.parse(world.written.stdout)
    expect(ready).toEqual({
      event: 'ready',
      baseUrl: 'http://127.0.0.1:0/v1',
      apiKey: expect.stringMatching(/^atr_/),
      model: 'tiny',
      contextTokens: 32_768,
      parallel: 8,
      engine: 'llama-server',
    })
    expect(world.log[1]).toMatchObject({ started: { queueLimit: 5, host: '0.0.0.0' } })
    expect(world.written.stderr).toMatch(/everyone in this network who has the key/)
    const keyOf = async (...more: string[]) => {
      const again = createServeWorld()
      again.io.env = world.io.env
      const ended = again.serve('--model', model, '--port', '0', '--json', ...more)
      await waitUntil(() => again.written.stdout.includes('baseUrl') || again.written.stderr)
      again.stop()
      await ended
      again.remove()
      return JSON.parse(again.written.stdout).apiKey
    }
    expect(await keyOf()).toBe(ready.apiKey)
    const made = await keyOf('--regenerate-key')
    expect(made).not.toBe(ready.apiKey)
    expect(await keyOf()).toBe(made)
  })

  test('[AG84] says that one request at a time does not meet the contract', async () => {
    await world.addLlamaServer('bin')
    await world.tried('--model', await world.addModel(tinyGguf()), '--port', '0', '--parallel', '1')
    expect(world.written.stderr).toContain('one request at a time, which does not meet the contract')
  })

  test('[AG85] an engine that is lost ends it with a sentence', async () => {
    await world.addLlamaServer('bin')
    const model = await world.addModel(tinyGguf())
    const ended = world.serve('--model', model, '--port', '0')
    await waitUntil(() => world.written.stdout.includes('READY') || 'not ready')
    world.loseEngine('llama-server was killed. Start again with a smaller model.')
    expect(await ended).toBe(1)
    expect(world.written.stderr).toContain('llama-server was killed.')
    expect(world.log.slice(2)).toEqual(['front stopped', 'engine stopped'])
  })

  test('[AG85] stopped while it starts, it stops what it has started', async () => {
    await world.addLlamaServer('bin')
    const model = await world.addModel(tinyGguf())
    const { startFront } = world.deps
    world.deps.startFront = async (options) => {
      world.stop()
      return startFront(options)
    }
    await expect(world.serve('--model', model, '--port', '0')).rejects.toThrow('stopped by SIGINT')
    expect(world.log.slice(2)).toEqual(['front stopped', 'engine stopped'])
    expect(world.written.stdout).toBe('')
  })

  test('[AG85] a front that cannot start takes the engine with it', async () => {
    await world.addLlamaServer('bin')
    world.deps.startFront = () => Promise.reject(new Error('no front'))
    await expect(world.serve('--model', await world.addModel(tinyGguf()), '--port', '0')).rejects.toThrow(
      'no front',
    )
    expect(world.log.slice(1)).toEqual(['engine stopped'])
  })
})

test('[AG2] tells the operator about requests that the engine or we have failed, and about no others', () => {
  const said: string[] = []
  const log = createRequestLog((text) => said.push(text))
  const entry = { method: 'POST', route: '/v1/chat/completions', ms: 12.3 }
  log({ ...entry, status: 200, code: undefined })
  log({ ...entry, status: 401, code: 'invalid_api_key' })
  log({ ...entry, status: 502, code: 'invalid_tool_call' })
  log({ ...entry, status: 500, code: 'internal_error', fault: new Error('a fault') })
  expect(said).toEqual([
    'POST /v1/chat/completions: 502 invalid_tool_call, after 12 ms',
    'POST /v1/chat/completions: 500 internal_error, after 12 ms',
    expect.stringMatching(/^Error: a fault\n {4}at /),
  ])
})

describe('[AG86] a dry run', () => {
  test('shows hardware, model, reason and engine, and leaves no trace', async () => {
    world.deps.buildFor = llamaBuildFor
    world.hardware.platform = 'linux'
    world.hardware.arch = 'x64'
    expect(await world.serve('--dry-run')).toBe(0)
    const { stdout } = world.written
    expect(stdout).toMatch(
      /^GPU {7}NVIDIA L4, 22 GiB\nRAM {7}32\.0 GiB, of which 30\.0 GiB are available\nProcessor 8 threads\n/,
    )
    expect(stdout).toMatch(
      /Model {5}qwen3\.5-9b-q6 \(9B, Q6_K\), 7\.5 GB, from https:\/\/huggingface\.co\/unsloth/,
    )
    expect(stdout).toMatch(/Why {7}qwen3\.5-9b-q6 needs 16\.\d GiB of the 22\.5 GiB that NVIDIA L4 can give/)
    expect(stdout).toMatch(
      /Engine {4}llama-server \(llama\.cpp b11160-linux-x64-cuda\), which is downloaded once you agree/,
    )
    expect(await readdir(world.home)).toEqual([])
  })

  test('is one line of JSON with --json, with what the operator should know', async () => {
    world.hardware.gpus = []
    world.hardware.warnings = ['CUDA_VISIBLE_DEVICES hides 1 of 1 GPU devices.']
    await world.addLlamaServer('bin')
    await world.serve('--dry-run', '--json')
    expect(JSON.parse(world.written.stdout)).toMatchObject({
      event: 'plan',
      notes: [expect.stringContaining('without a GPU answers take long')],
      hardware: {
        gpus: [],
        cores: 8,
        warnings: ['CUDA_VISIBLE_DEVICES hides 1 of 1 GPU devices.'],
        diskFreeBytes: expect.any(Number),
      },
      model: { name: 'qwen3.5-4b', device: 'cpu', ctx: 32_768, parallel: 8 },
      engine: 'llama-server',
    })
  })
})

describe('[AG89] models elsewhere', () => {
  test('are downloaded from an address, and their file decides what fits', async () => {
    await world.addLlamaServer('bin')
    const bytes = tinyGguf()
    const server = await startHttp(({ url }, response) => {
      const isThere = url === '/tiny.gguf'
      response.writeHead(isThere ? 200 : 404, { 'content-length': isThere ? bytes.length : 0, etag: '"1"' })
      response.end(isThere ? bytes : undefined)
    })
    servers.push(server)
    expect(
      await world.tried('--model', `${server.address}/tiny.gguf`, '--port', '0', '--parallel', '3'),
    ).toBe(0)
    expect(world.log[0]).toMatchObject({ opened: { model: 'tiny' }, parallel: 3 })
    expect(world.written.stderr).toMatch(/the model tiny: 100 % of 0 MB/)
  })

  test('a file that does not exist there is a sentence', async () => {
    await world.addLlamaServer('bin')
    const server = await startHttp((_, response) => response.writeHead(404).end())
    servers.push(server)
    await expect(world.serve('--model', `${server.address}/other.gguf`, '--port', '0')).rejects.toThrow(
      /There is no file at .*other\.gguf \(404\)/,
    )
  })

  test('a server that runs the model is used with its key, and nothing here has to fit', async () => {
    world.io.env.ATRIUM_UPSTREAM_KEY = 'sk-up'
    expect(await world.tried('--model', 'https://models.example.org/v1/', '--port', '0', '--json')).toBe(0)
    const ready = JSON.parse(world.written.stdout)
    expect(ready).toMatchObject({ engine: 'upstream' })
    expect(ready).not.toHaveProperty('contextTokens')
    expect(world.log[0]).toMatchObject({
      opened: { kind: 'upstream', baseUrl: 'https://models.example.org/v1', apiKey: 'sk-up' },
      parallel: 8,
    })
  })

  test('[AG89] an empty key is none, and one that no header can hold is a sentence', async () => {
    const upstream = ['--upstream', 'https://models.example.org/v1', '--port', '0']
    world.io.env.ATRIUM_UPSTREAM_KEY = 'sk-up\r'
    await expect(world.serve(...upstream)).rejects.toThrow(
      'ATRIUM_UPSTREAM_KEY contains spaces or characters',
    )
    world.io.env.ATRIUM_UPSTREAM_KEY = ''
    expect(await world.tried(...upstream)).toBe(0)
    expect(world.log[0]).toMatchObject({ opened: { kind: 'upstream', apiKey: undefined } })
  })
})
