import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '@atrium/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { becomeAnotherUser } from '../../test/another-user.ts'
import { startHttp } from '../../test/start-http.ts'
import { tinyGguf } from '../presets/test/tiny-gguf.ts'
import { llamaBuildFor } from './serve/llama-builds.ts'
import { createServeWorld, l4 } from './test/serve-world.ts'

let world: ReturnType<typeof createServeWorld>
const servers: { stop(): void }[] = []
beforeEach(() => {
  world = createServeWorld()
})
afterEach(() => {
  for (const server of servers.splice(0)) server.stop()
  world.remove()
})

describe('[AG88] llama-server', () => {
  test('is taken from the flag, then ATRIUM_LLAMA_SERVER, then the PATH', async () => {
    const [flag, env, path] = await Promise.all(
      ['a', 'b', 'bin'].map((folder) => world.addLlamaServer(folder)),
    )
    const model = await world.addModel(tinyGguf())
    const engineOf = async (...args: string[]) => {
      const each = createServeWorld()
      each.io.env = world.io.env
      await each.serve('--dry-run', '--model', model, ...args)
      each.remove()
      return /Engine +(.*)/.exec(each.written.stdout)?.[1]
    }
    expect(await engineOf()).toBe(`llama-server, ${path}`)
    world.io.env.ATRIUM_LLAMA_SERVER = env
    expect(await engineOf()).toBe(`llama-server, ${env}`)
    expect(await engineOf('--llama-server', String(flag))).toBe(`llama-server, ${flag}`)
  })

  /** A release as llama.cpp publishes them: a program in a folder, and libraries in another archive. */
  async function publish() {
    const folder = join(world.home, 'release')
    await world.addLlamaServer('release/llama-b1')
    await mkdir(join(folder, 'cudart-b1'))
    await writeFile(join(folder, 'cudart-b1', 'libcudart.so.12'), 'a library')
    const archives = ['llama-b1', 'cudart-b1'].map((name) => {
      execFileSync('tar', ['-czf', join(folder, `${name}.tar.gz`), '-C', folder, name])
      return `${name}.tar.gz`
    })
    const bytes = new Map(
      await Promise.all(archives.map(async (file) => [file, await readFile(join(folder, file))] as const)),
    )
    const server = await startHttp(({ url = '' }, response) => {
      const body = bytes.get(url.slice(1))
      response.writeHead(body ? 200 : 404, body ? { 'content-length': body.length } : {}).end(body)
    })
    servers.push(server)
    world.io.env.PATH = '/usr/bin:/bin'
    world.deps.buildFor = () => ({
      name: 'b1-test',
      archives: [...bytes].map(([file, body]) => ({
        file,
        url: `${server.address}/${file}`,
        sha256: createHash('sha256').update(body).digest('hex'),
      })),
    })
  }

  test('is fetched after --yes, with its libraries beside it, and found in the cache after that', async () => {
    await publish()
    const model = await world.addModel(tinyGguf())
    expect(await world.tried('--model', model, '--port', '0', '--yes')).toBe(0)
    const folder = join(world.home, '.cache/atrium-agent/llama.cpp/b1-test/0/llama-b1')
    expect(world.log[0]).toMatchObject({ opened: { binary: join(folder, 'llama-server') } })
    expect((await readdir(folder)).toSorted()).toEqual(['libcudart.so.12', 'llama-server'])
    for (const server of servers.splice(0)) server.stop()
    world.written.stdout = ''
    await world.serve('--dry-run', '--model', model)
    expect(world.written.stdout).toContain(`llama-server, ${join(folder, 'llama-server')}`)
  })

  test('is not fetched where nobody can be asked', async () => {
    await publish()
    const model = await world.addModel(tinyGguf())
    await expect(world.serve('--model', model, '--port', '0')).rejects.toThrow(
      /llama-server \(llama\.cpp b1-test\) has to be downloaded, and nobody can be asked.*--yes/,
    )
    expect(world.log).toEqual([])
  })

  test('is fetched when somebody says yes; after two times no there is nothing to serve', async () => {
    await publish()
    world.io.isTerminal = true
    const model = await world.addModel(tinyGguf())
    const declined = world.serve('--model', model, '--port', '0')
    declined.catch(() => undefined)
    await waitUntil(() => world.written.stderr.includes('Download llama-server') || 'not asked')
    world.stdin.write('n\n')
    await waitUntil(() => world.written.stderr.includes('Install node-llama-cpp') || 'not asked')
    world.stdin.write('no\n')
    await expect(declined).rejects.toThrow(/there is nothing to serve/)
    world.written.stderr = ''
    const agreed = world.serve('--model', model, '--port', '0')
    await waitUntil(() => world.written.stderr.includes('Download llama-server') || 'not asked')
    world.stdin.write('y\n')
    await waitUntil(() => world.written.stdout.includes('READY') || 'not ready')
    world.stop()
    expect(await agreed).toBe(0)
  })

  test('gets none of our keys when it is tried', async () => {
    const path = await world.addLlamaServer('bin')
    await writeFile(path, '#!/bin/sh\n[ -z "$ATRIUM_AGENT_API_KEY" ]\n')
    world.io.env.ATRIUM_AGENT_API_KEY = 'secret'
    expect(await world.tried('--model', await world.addModel(tinyGguf()), '--port', '0')).toBe(0)
  })

  test('[AG75] is not taken from a cache of another user', async () => {
    await world.addLlamaServer('.cache/atrium-agent/llama.cpp/b1')
    world.deps.buildFor = () => ({ name: 'b1', archives: [] })
    const model = await world.addModel(tinyGguf())
    becomeAnotherUser()
    for (const flags of [['--port', '0'], ['--dry-run']])
      await expect(world.serve('--model', model, ...flags)).rejects.toThrow(
        /\.cache\/atrium-agent belongs to another user/,
      )
    expect(world.log).toEqual([])
  })

  test('with a wrong checksum is refused', async () => {
    await publish()
    const build = world.deps.buildFor(world.hardware)
    world.deps.buildFor = () =>
      build && {
        ...build,
        archives: build.archives.map((archive) => ({ ...archive, sha256: 'a'.repeat(64) })),
      }
    const model = await world.addModel(tinyGguf())
    await expect(world.serve('--model', model, '--port', '0', '--yes')).rejects.toThrow(/expected checksum/)
  })

  test.each([
    ['linux', 'x64', [l4], 'b11160-linux-x64-cuda'],
    ['linux', 'x64', [{ ...l4, vendor: 'amd' as const }], 'b11160-linux-x64-vulkan'],
    ['linux', 'x64', [], 'b11160-linux-x64-cpu'],
    ['linux', 'arm64', [l4], 'b11160-linux-arm64-cuda'],
    ['darwin', 'arm64', [{ ...l4, vendor: 'apple' as const }], 'b11160-darwin-arm64'],
    ['win32', 'x64', [{ ...l4, computeCapability: 8.9 }], 'b11160-win32-x64-cuda-12'],
    ['win32', 'x64', [{ ...l4, computeCapability: 12 }], 'b11160-win32-x64-cuda-13'],
    ['win32', 'x64', [], 'b11160-win32-x64-cpu'],
    ['win32', 'x64', [{ ...l4, vendor: 'amd' as const }], undefined],
    ['freebsd', 'x64', [], undefined],
  ])('is pinned for %s %s', (platform, arch, gpus, name) => {
    const build = llamaBuildFor({ ...world.hardware, platform, arch, gpus })
    expect(build?.name).toBe(name)
    for (const { url, sha256 } of build?.archives ?? []) {
      expect(url).toMatch(/^https:\/\/github\.com\/ggml-org\/llama\.cpp\/releases\/download\/b11160\//)
      expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    }
  })
})

describe('[AG88] node-llama-cpp', () => {
  test('is installed after --yes with what the GPU needs, and nobody is asked again', async () => {
    const model = await world.addModel(tinyGguf())
    await expect(world.serve('--model', model, '--port', '0')).rejects.toThrow(
      /node-llama-cpp has to be downloaded, and nobody can be asked.*--llama-server/,
    )
    await expect(world.serve('--model', model, '--engine', 'node-llama-cpp', '--port', '0')).rejects.toThrow(
      /Agree with --yes, or use another engine: leave out --engine/,
    )
    expect(await world.tried('--model', model, '--port', '0', '--yes')).toBe(0)
    const folder = join(world.home, '.cache/atrium-agent/node-llama-cpp-1.2.3-cuda')
    expect(world.log.slice(0, 2)).toMatchObject([
      { installed: folder },
      { opened: { kind: 'node-llama-cpp', folder, compute: 'cuda' } },
    ])
    const again = createServeWorld()
    again.io.env = world.io.env
    const ended = again.serve('--model', model, '--port', '0')
    await waitUntil(() => again.written.stdout.includes('READY') || again.written.stderr)
    again.stop()
    expect(await ended).toBe(0)
    expect(again.written.stdout).toContain('engine   node-llama-cpp')
    expect(again.written.stderr).toContain('installed before, runs the model. llama-server is faster')
    again.remove()
  })

  test('is what --engine names, even where there is a llama-server', async () => {
    await world.addLlamaServer('bin')
    await world.serve('--dry-run', '--engine', 'node-llama-cpp')
    expect(world.written.stdout).toMatch(/Engine {4}node-llama-cpp, which is installed once you agree/)
  })
})
