import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { type StubModelServerOptions, selfSigned, startStubModelServer } from '@atrium/testkit'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { exitCodeOf } from '../src/cli/run.ts'
import { createServeWorld } from '../src/commands/test/serve-world.ts'
import { runVerify } from '../src/commands/verify.ts'
import { tinyGguf } from '../src/presets/test/tiny-gguf.ts'
import { startFrontWorld } from './front-world.ts'
import { startHttp } from './start-http.ts'
import { createTestIo } from './test-io.ts'

/** What operators get wrong, or find broken: each is a sentence that says what to do, and an exit code that is not 0. */

describe('[AG126] serve', () => {
  let world: ReturnType<typeof createServeWorld>
  beforeEach(async () => {
    world = createServeWorld()
    world.deps.downloadLimits = { pauseMs: 0, fruitlessAttempts: 2 }
    await world.addLlamaServer('bin')
  })
  afterEach(() => world.remove())

  /** What the operator reads; nothing is started. */
  async function refusalOf(...args: string[]): Promise<string> {
    expect(await exitCodeOf('serve', world.io, () => world.serve(...args))).toBe(2)
    expect(world.log).toEqual([])
    return world.written.stderr
  }

  async function addressOf(listener: RequestListener): Promise<string> {
    const server = await startHttp(listener)
    onTestFinished(server.stop)
    return server.address
  }

  const model = (listener: RequestListener) =>
    addressOf(listener).then((address) => ['--model', `${address}/tiny.gguf`, '--port', '0'])

  it('port taken', async () => {
    const { port } = new URL(await addressOf((_, response) => response.end()))
    expect(await refusalOf('--port', port)).toMatch(
      /^Port \d+ is taken by another program\. Stop that program, or use another port: --port \d+\.\n$/,
    )
  })

  it('port taken by a serve that is running already', async () => {
    const { front, stop } = await startFrontWorld()
    onTestFinished(stop)
    expect(await refusalOf('--port', new URL(front.address).port)).toMatch(
      /^serve is already running on port \d+\. Use that server, or stop it first; .*: --port \d+\.\n$/,
    )
  })

  it('a file that is no model', async () => {
    const path = await world.addModel(Buffer.from('# A page about the tool'), 'README')
    expect(await refusalOf('--model', path)).toMatch(/README is no model file: it does not begin with GGUF\./)
    world.written.stderr = ''
    // Without a slash it could be the name of a preset.
    expect(await refusalOf('--model', 'package.json')).toMatch(/package\.json is no model file/)
  })

  it('no disk space', async () => {
    const hugeFile = await model((_, response) =>
      response.writeHead(200, { 'content-length': 2e12 }).write('G'),
    )
    expect(await refusalOf(...hugeFile)).toMatch(/needs another 2000 GB in .*, where only .* Free some space/)
  })

  it('broken download', async () => {
    const breaking = await model((_, response) => {
      response.writeHead(200, { 'content-length': 1_000 }).write('GGUF', () => response.destroy())
    })
    expect(await refusalOf(...breaking)).toMatch(
      /The download of the model tiny broke off: .* Check the connection and run the command again: it continues/,
    )
  })

  it('wrong checksum', async () => {
    const bytes = tinyGguf()
    const changed = await model((_, response) =>
      response
        .writeHead(200, { 'content-length': bytes.length, 'x-linked-etag': `"${'a'.repeat(64)}"` })
        .end(bytes),
    )
    expect(await refusalOf(...changed)).toMatch(
      /the model tiny does not have the expected checksum.* It was removed\. Run the command again/,
    )
  })

  it('model reference that does not exist', async () => {
    expect(await refusalOf('--model', 'qwen9')).toMatch(/^There is no preset qwen9\. Presets: qwen3/)
    world.written.stderr = ''
    expect(await refusalOf('--model', './none.gguf')).toMatch(/no model at .* Give the path of a GGUF file/)
    world.written.stderr = ''
    const missing = await model((_, response) => response.writeHead(404).end())
    expect(await refusalOf(...missing)).toMatch(/There is no file at .* \(404\)\. Check its name/)
  })

  it('context larger than the model’s', async () => {
    const path = await world.addModel(tinyGguf())
    expect(await refusalOf('--model', path, '--ctx', '100000')).toBe(
      'tiny supports a context of up to 65536 tokens, and --ctx asks for 100000. Use --ctx 65536 or less, or another model.\n',
    )
  })

  it('GPU without driver; --cpu is the way on', async () => {
    world.hardware.gpus = []
    world.hardware.unusableGpu =
      'There is a GPU (NVIDIA), but it cannot be used. Install the driver, or add --cpu.'
    const path = await world.addModel(tinyGguf())
    expect(await refusalOf('--model', path)).toBe(`${world.hardware.unusableGpu}\n`)
    expect(await world.serve('--model', path, '--dry-run')).toBe(2)
    expect(world.written.stdout).toContain(`Note      ${world.hardware.unusableGpu}`)
    world.written.stdout = ''
    expect(await world.serve('--model', path, '--dry-run', '--cpu')).toBe(0)
    expect(world.written.stdout).not.toContain('cannot be used')
    expect(world.written.stdout).toContain('Note      The model runs on the processor')
  })

  const nobody = 65_534
  const isRoot = process.geteuid?.() === 0

  async function writeConfig(): Promise<string> {
    const path = join(world.home, '.config', 'atrium-agent', 'config.json')
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, '{}', { mode: 0o600 })
    return path
  }

  it('config file of another user', async () => {
    const path = await writeConfig()
    // Only root can give a file away; for others their own file is the other user's.
    const { geteuid } = process
    if (isRoot) await chown(path, nobody, nobody)
    else Object.assign(process, { geteuid: () => nobody })
    onTestFinished(() => void Object.assign(process, { geteuid }))
    expect(await refusalOf('--port', '0')).toMatch(
      /belongs to another user \(\d+\)\. Run the command as that user/,
    )
  })

  it('config file unreadable', async () => {
    const path = await writeConfig()
    await chmod(path, 0o000)
    if (isRoot) {
      // Root reads everything, so it becomes nobody for a moment.
      for (const each of [path, dirname(path), join(world.home, '.config'), world.home])
        await chown(each, nobody, nobody)
      process.seteuid?.(nobody)
    }
    const refusal = await refusalOf('--port', '0').finally(() => isRoot && process.seteuid?.(0))
    expect(refusal).toMatch(/config\.json cannot be read \(EACCES\)\. Make it readable for this user/)
  })
})

describe('[AG126] verify', () => {
  /** What the operator reads, without the line breaks of the table. */
  async function failureOf(baseUrl: string, apiKey = 'atr_stub'): Promise<string> {
    const { io, out } = createTestIo()
    const verify = () => runVerify(['--base-url', baseUrl, '--api-key', apiKey, '--quick'], io)
    expect(await exitCodeOf('verify', io, verify)).toBe(1)
    return out().replace(/\s+/g, ' ')
  }

  async function stub(options: StubModelServerOptions = {}): Promise<string> {
    const server = await startStubModelServer(options)
    onTestFinished(server.stop)
    return server.baseUrl
  }

  const page = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Welcome</title>' }

  it('base URL without /v1', async () => {
    const address = (await stub()).replace('/v1', '')
    expect(await failureOf(address)).toContain(`Check that the base URL includes /v1: ${address}/v1`)
  })

  it('self-signed certificate', async () => {
    const server = createTlsServer(selfSigned)
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await failureOf(`https://127.0.0.1:${port}/v1`)).toMatch(
      /endpoint unreachable: the certificate of .* is self-signed .* Set NODE_EXTRA_CA_CERTS/,
    )
  })

  it('an endpoint that answers HTML', async () => {
    expect(await failureOf(await stub({ onModels: () => page }))).toContain(
      'GET /models returned 200 with a web page (HTML) instead of JSON. Check the base URL',
    )
  })

  it('an endpoint that streams although not asked', async () => {
    const stream = { headers: { 'content-type': 'text/event-stream' }, body: 'data: {}\n\n' }
    expect(await failureOf(await stub({ onCompletion: () => stream }))).toContain(
      'as a stream although none was asked for. The server has to answer in one piece',
    )
  })
})
