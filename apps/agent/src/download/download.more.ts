import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitUntil } from '@atrium/testkit'
import { afterEach, describe, expect, test } from 'vitest'
import { DownloadWorld, original, sha256Of } from './test/download-world.ts'

const world = new DownloadWorld()
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

describe('[AG77] a download', () => {
  test('brings the file once; after that it is read from the cache', async () => {
    expect(await world.fetchFile({ sha256: sha256Of(original) })).toBe(world.target())
    expect(await readFile(world.target())).toEqual(original)
    expect((await stat(world.cache())).mode & 0o777).toBe(0o700)
    expect(await world.filesLeft()).toEqual(['tiny.gguf', 'tiny.gguf.json'])
    expect(world.progress.at(-1)).toEqual({
      receivedBytes: original.length,
      totalBytes: original.length,
      startedAtBytes: 0,
    })
    await world.fetchFile({ sha256: sha256Of(original) })
    expect(world.server.requests).toHaveLength(1)
    expect(world.said).toEqual([])
  })

  test('continues where the connection broke, without a byte twice', async () => {
    const pieceBytes = 100_000
    world.state.behaviour.fallsSilentAfter = pieceBytes
    await world.fetchFile({
      sha256: sha256Of(original),
      onProgress({ receivedBytes }) {
        if (receivedBytes % pieceBytes === 0) world.server.requests.at(-1)?.socket.destroy()
      },
    })
    expect(await readFile(world.target())).toEqual(original)
    expect(world.server.ranges).toEqual([
      undefined,
      ...[1, 2, 3, 4, 5, 6].map((piece) => `bytes=${piece * pieceBytes}-`),
    ])
    expect(world.server.requests[1]?.headers['if-range']).toBe('"one"')
  })

  test('continues in a later process', async () => {
    await world.interruptedAfter(250_000)
    expect(await world.filesLeft()).toEqual(['tiny.gguf.part', 'tiny.gguf.part.json'])
    await world.fetchFile({ sha256: sha256Of(original) })
    expect(world.server.ranges).toEqual([undefined, 'bytes=250000-'])
    expect(world.progress[0]?.startedAtBytes).toBe(250_000)
    expect(await readFile(world.target())).toEqual(original)
  })

  test('begins anew when the file has changed meanwhile', async () => {
    await world.interruptedAfter(100_000)
    const changed = Buffer.concat([Buffer.from('GGUF'), randomBytes(400_000)])
    world.state = Object.assign(world.state, { file: changed, behaviour: { etag: '"two"' } })
    await world.fetchFile()
    expect(await readFile(world.target())).toEqual(changed)
  })

  test('begins anew when a server sends the rest of another file of the same size', async () => {
    await world.interruptedAfter(100_000)
    const changed = Buffer.concat([Buffer.from('GGUF'), randomBytes(600_000)])
    const behaviour = { etag: '"two"', ignoresIfRange: true }
    world.state = Object.assign(world.state, { file: changed, behaviour })
    await world.fetchFile()
    expect(sha256Of(await readFile(world.target()))).toBe(sha256Of(changed))
  })

  test('begins anew when nothing proves that the rest belongs to the beginning', async () => {
    delete world.state.behaviour.etag
    await world.interruptedAfter(100_000)
    await world.fetchFile()
    expect(world.server.ranges).toEqual([undefined, undefined])
    expect(await readFile(world.target())).toEqual(original)
  })

  test('begins anew where a server cannot continue', async () => {
    await world.interruptedAfter(100_000)
    world.state.behaviour = { etag: '"one"', ignoresRange: true }
    await world.fetchFile({ sha256: sha256Of(original) })
    expect(await readFile(world.target())).toEqual(original)
  })

  test('ends when everything was there already', async () => {
    await world.interruptedAfter(100_000)
    // The last byte arrived, but the process was killed before it could say so.
    await writeFile(`${world.target()}.part`, original)
    await world.fetchFile({ sha256: sha256Of(original) })
    expect(await readFile(world.target())).toEqual(original)
  })

  test('gives up on a server that falls silent', async () => {
    world.state.behaviour.fallsSilentAfter = 50_000
    await expect(
      world.fetchFile({ limits: { silenceMs: 200, pauseMs: 1, fruitlessAttempts: 1, attempts: 2 } }), // timing: the limit itself is what is tested
    ).rejects.toThrow(/nothing arrived for 0\.2 s.*continues where it stopped/)
  })
})

describe('[AG78] kill -9 in the middle', () => {
  const program = fileURLToPath(new URL('test/download-program.ts', import.meta.url))

  function start(): { child: ChildProcess; output(): string } {
    const child = spawn(process.execPath, [program, `${world.server.address}/tiny.gguf`, world.cache()])
    children.push(child)
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    return { child, output: () => output }
  }

  test('loses nothing, and leaves no lock that holds', async () => {
    world.state.behaviour.fallsSilentAfter = 300_000
    const first = start()
    await waitUntil(() => first.output().includes('300000 bytes') || first.output())
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    expect(await readdir(world.cache())).toContain('model.gguf.lock')
    world.state.behaviour = { etag: '"one"' }
    const second = start()
    await once(second.child, 'exit')
    expect(second.output()).toContain(`ended with ${world.cache()}`)
    expect(world.server.ranges.at(-1)).toBe('bytes=300000-')
    expect(await readFile(join(world.cache(), 'model.gguf'))).toEqual(original)
    expect((await readdir(world.cache())).toSorted()).toEqual(['model.gguf', 'model.gguf.json'])
  })

  test('[AG79] a second process is refused while the first downloads', async () => {
    world.state.behaviour.fallsSilentAfter = 300_000
    const first = start()
    await waitUntil(() => first.output().includes('300000 bytes') || first.output())
    const second = start()
    await once(second.child, 'exit')
    expect(second.output()).toContain(`Another process (${first.child.pid}) is downloading the model. Wait`)
  })

  test('[AG80] a disk that fills up is a sentence; what was downloaded is kept', async () => {
    world.state.behaviour.fallsSilentAfter = 100_000
    const first = start()
    await waitUntil(() => first.output().includes('100000 bytes') || first.output())
    execFileSync('prlimit', ['--pid', String(first.child.pid), '--fsize=150000:'])
    world.state.behaviour = { etag: '"one"' }
    // The connection is cut, so that the process asks for the rest.
    world.server.requests[0]?.socket.destroy()
    await once(first.child, 'exit')
    expect(first.output()).toMatch(/There is no space left on the disk.*what was downloaded is kept/)
    expect((await stat(join(world.cache(), 'model.gguf.part'))).size).toBeGreaterThanOrEqual(100_000)
  })
})

describe('[AG79] the lock', () => {
  const longAgo = Date.now() - 3_600_000
  const beforeUs = Date.now() - process.uptime() * 1_000 - 1_000 // timing: the age of this process is what is tested

  test.each([
    ['of a process that is gone', `${2 ** 22 + 1} abc ${hostname()}`, Date.now()],
    ['of a number that another program has now', `${process.ppid} abc ${hostname()}`, longAgo],
    ['of a process that had our number before us', `${process.pid} abc ${hostname()}`, beforeUs],
    ['of a machine that shows no sign of life', '1 abc another-machine', longAgo],
    ['of nobody', '', longAgo],
  ])('%s is taken over', async (_, text, modified) => {
    await mkdir(dirname(world.target()), { recursive: true, mode: 0o700 })
    await writeFile(`${world.target()}.lock`, text)
    await utimes(`${world.target()}.lock`, modified / 1_000, modified / 1_000)
    await world.fetchFile()
    expect(await world.filesLeft()).toEqual(['tiny.gguf', 'tiny.gguf.json'])
  })

  test('of a process that works is respected', async () => {
    await mkdir(dirname(world.target()), { recursive: true, mode: 0o700 })
    for (const [holder, name] of [
      [`${process.pid} abc ${hostname()}`, String(process.pid)],
      [`${2 ** 22 + 1} abc another-machine`, `${2 ** 22 + 1} on another-machine`],
    ]) {
      await writeFile(`${world.target()}.lock`, holder ?? '')
      await expect(world.fetchFile()).rejects.toThrow(
        `Another process (${name}) is downloading the model tiny`,
      )
    }
  })
})
