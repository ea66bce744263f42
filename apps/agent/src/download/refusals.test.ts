import { randomBytes } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createDownloadProgress } from './progress.ts'
import { DownloadWorld, original, sha256Of } from './test/download-world.ts'

const world = new DownloadWorld()

describe('[AG80] what goes wrong is a sentence', () => {
  test('too little space, before anything is written', async () => {
    const limits = { freeBytes: async () => 200_000_000 }
    await expect(world.fetchFile({ limits })).rejects.toThrow(
      /needs another 1 MB .* where only 200 MB are free/,
    )
    expect((await stat(`${world.target()}.part`)).size).toBe(0)
  })

  test('a wrong checksum: nothing is kept', async () => {
    await expect(world.fetchFile({ sha256: 'a'.repeat(64) })).rejects.toThrow(
      /does not have the expected checksum.*removed/,
    )
    expect(await world.filesLeft()).toEqual([])
  })

  test('another size than the published one', async () => {
    await expect(world.fetchFile({ bytes: 5 })).rejects.toThrow(
      /should have 5 bytes, but the server has a file of 600004/,
    )
  })

  const answers = (status: number, headers = {}, body: string | Buffer = '') => {
    world.state.behaviour.answer = (_, response) => {
      response.writeHead(status, headers).end(body)
      return true
    }
  }

  test('no such file, and one that is not for everyone', async () => {
    answers(404)
    await expect(world.fetchFile()).rejects.toThrow(/There is no file at http:.*\(404\)/)
    answers(403)
    await expect(world.fetchFile()).rejects.toThrow(/accept a licence.*HF_TOKEN/)
    answers(418)
    await expect(world.fetchFile()).rejects.toThrow(/answered 418/)
  })

  test('a server in trouble is asked again, then given up', async () => {
    answers(503)
    const limits = { pauseMs: 0, fruitlessAttempts: 3 }
    await expect(world.fetchFile({ limits })).rejects.toThrow(/answered 503.*run the command again/)
    expect(world.server.requests).toHaveLength(3)
  })

  test('a web page, also one that calls itself a file', async () => {
    answers(200, { 'content-type': 'text/html; charset=utf-8' }, '<html>')
    await expect(world.fetchFile()).rejects.toThrow(/is a web page, not a file/)
    answers(200, { 'content-type': 'application/octet-stream', 'content-length': 6 }, '<html>')
    await expect(world.fetchFile({ magic: 'GGUF' })).rejects.toThrow(
      /is not the model tiny: the file is of another kind/,
    )
    expect(await world.filesLeft()).toEqual([])
  })

  test('no size, or more than was announced', async () => {
    answers(200, { 'transfer-encoding': 'chunked' }, original)
    await expect(world.fetchFile()).rejects.toThrow(/does not say how large/)
    await expect(world.fetchFile({ bytes: 1_000 })).rejects.toThrow(/sends more .* than it announced/)
    expect(await world.filesLeft()).toEqual([])
  })

  test('another part than the one that was asked for', async () => {
    await world.interruptedAfter(100_000)
    answers(206, { 'content-range': 'bytes 5-9/600004', 'content-length': 5 }, 'abcde')
    await expect(world.fetchFile()).rejects.toThrow(/another part of the file/)
  })

  test('nobody there', async () => {
    const { address } = world.server
    await world.server.stop()
    const limits = { pauseMs: 0, fruitlessAttempts: 3 }
    const instead = 'Without a connection, use a file that is here'
    await expect(world.fetchFile({ url: `${address}/x`, limits, instead })).rejects.toThrow(
      /cannot be reached \(ECONNREFUSED\).* Without a connection, use a file that is here\.$/,
    )
    expect(world.said).toEqual([
      expect.stringMatching(/cannot be reached .* Trying again in 0 s \(attempt 2 of 3\)\.$/),
      expect.stringMatching(/\(attempt 3 of 3\)\.$/),
    ])
    await world.startServer()
  })

  test('a file in the cache that was changed', async () => {
    await world.fetchFile({ sha256: sha256Of(original) })
    await writeFile(world.target(), 'something else')
    await expect(world.fetchFile({ sha256: sha256Of(original) })).rejects.toThrow(/damaged.*Remove the file/)
    await writeFile(world.target(), original)
    await world.fetchFile({ sha256: sha256Of(original) })
    expect(world.said).toContain('Checking the model tiny in the cache …')
    expect(world.server.requests).toHaveLength(1)
  })
})

describe('[AG81] addresses', () => {
  test('redirects are followed, a few of them', async () => {
    world.state.behaviour.answer = ({ url = '' }, response) => {
      const step = Number(new URL(url, world.server.address).searchParams.get('step') ?? 0)
      if (step === 3) return false
      response.writeHead(302, { location: `/next?step=${step + 1}` }).end()
      return true
    }
    await world.fetchFile()
    expect(await readFile(world.target())).toEqual(original)

    world.state.behaviour.answer = (_, response) => {
      response.writeHead(302, { location: '/again' }).end()
      return true
    }
    await expect(world.fetchFile({ path: 'other.gguf' })).rejects.toThrow(/redirected more than 8 times/)
  })

  test.each([
    ['http://example.org/model.gguf', /is redirected to http:\/\/example\.org, which is not safe/],
    ['file:///etc/passwd', /which is not safe/],
    ['http://[bad', /is not an address/],
  ])('a redirect to %s is refused', async (location, why) => {
    world.state.behaviour.answer = (_, response) => {
      response.writeHead(302, { location }).end()
      return true
    }
    await expect(world.fetchFile()).rejects.toThrow(why)
  })

  test.each(['http://example.org/model.gguf', 'ftp://example.org/model.gguf'])(
    '%s is refused',
    async (url) => {
      await expect(world.fetchFile({ url })).rejects.toThrow(/begin with https/)
    },
  )
})

describe('[AG82] checksums', () => {
  test('one that the hub announces on the way is used', async () => {
    const announce = (sha256: string) => {
      world.state.behaviour.answer = ({ url }, response) => {
        if (url === '/bytes') return false
        response.writeHead(302, { location: '/bytes', 'x-linked-etag': `"${sha256}"` }).end()
        return true
      }
    }
    announce('b'.repeat(64))
    await expect(world.fetchFile()).rejects.toThrow(/expected checksum/)
    announce(sha256Of(original))
    await world.fetchFile()
    expect(world.said).toEqual([])
  })

  test('without one, that is said, and later downloads are compared with the first', async () => {
    await world.fetchFile()
    expect(world.said).toEqual([expect.stringContaining(`No checksum is published for the model tiny`)])
    expect(world.said[0]).toContain(sha256Of(original))
    await rm(world.target())
    world.state.file = Buffer.concat([Buffer.from('GGUF'), randomBytes(600_000)])
    await expect(world.fetchFile()).rejects.toThrow(/expected checksum/)
  })
})

describe('[AG83] progress', () => {
  const at = (receivedBytes: number) => ({ receivedBytes, totalBytes: 20_000_000_000, startedAtBytes: 0 })

  function watch(isTerminal: boolean) {
    const shown: string[] = []
    const clock = { now: 0 }
    const show = (text: string) => shown.push(text)
    const onProgress = createDownloadProgress({ isTerminal, what: 'the model', now: () => clock.now, show })
    return { shown, clock, onProgress }
  }

  test('is shown on a terminal: how much, how fast, how long', () => {
    const { shown, clock, onProgress } = watch(true)
    onProgress(at(0))
    clock.now = 50
    onProgress(at(1_000))
    clock.now = 10_000
    onProgress(at(1_000_000_000))
    expect(shown).toEqual(['the model: 0 % of 20 GB', 'the model: 5 % of 20 GB, 100 MB/s, 4 min left'])
  })

  test('is shown every ten per cent elsewhere', () => {
    const { shown, clock, onProgress } = watch(false)
    for (let part = 0; part <= 1_000; part++) {
      clock.now += 1_000
      onProgress(at(part * 20_000_000))
    }
    expect(shown).toHaveLength(11)
    expect(shown.at(-1)).toBe('the model: 100 % of 20 GB')
  })
})
