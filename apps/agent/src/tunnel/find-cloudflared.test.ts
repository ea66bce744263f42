import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { becomeAnotherUser } from '../../test/another-user.ts'
import { startHttp } from '../../test/start-http.ts'
import { createTestIo } from '../../test/test-io.ts'
import { fetchToCache } from '../cli/fetch-to-cache.ts'
import { askConsent } from '../cli/io.ts'
import { type FindOptions, findCloudflared } from './find-cloudflared.ts'

const program = Buffer.from('#!/bin/sh\necho the real one\n')
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

function setUp() {
  const folder = createTemporaryFolder('cloudflared')
  onTestFinished(() => folder.remove())
  const write = (path: string, content: string | Buffer = program) => {
    mkdirSync(join(folder.path, path, '..'), { recursive: true })
    writeFileSync(join(folder.path, path), content)
    chmodSync(join(folder.path, path), 0o755)
    return join(folder.path, path)
  }
  const cache = join(folder.path, 'cache')
  const cached = join(cache, 'atrium-agent', 'cloudflared', '1.2.3', '0', 'cloudflared')
  const questions: string[] = []
  const find = (options: Partial<FindOptions> = {}, env: NodeJS.ProcessEnv = {}) =>
    findCloudflared({
      path: undefined,
      machine: { platform: 'linux', arch: 'x64', env: { XDG_CACHE_HOME: cache, PATH: '', ...env } },
      consent: async (question) => {
        questions.push(question)
        return true
      },
      fetchFile: (file) =>
        fetchToCache(file, {
          io: createTestIo().io,
          cacheFolder: join(cache, 'atrium-agent'),
          downloadLimits: { pauseMs: 0, fruitlessAttempts: 1 },
        }),
      say: () => undefined,
      signal: new AbortController().signal,
      release: releaseOf('http://127.0.0.1:1'),
      ...options,
    })
  return { folder: folder.path, write, cache, cached, questions, find }
}

function releaseOf(folder: string, content = program) {
  const file = { name: 'cloudflared-linux-amd64', sha256: sha256Of(content), binarySha256: sha256Of(program) }
  return { version: '1.2.3', folder, files: { 'linux-x64': file } }
}

async function serveFile(
  answer: (response: ServerResponse) => void,
): Promise<{ address: string; asked: () => number }> {
  let asked = 0
  const { address, stop } = await startHttp((_request, response) => {
    asked += 1
    answer(response)
  })
  onTestFinished(stop)
  return { address, asked: () => asked }
}

const sendFile = (response: ServerResponse, content: Buffer) =>
  response.writeHead(200, { 'content-length': content.length }).end(content)

it('[AG110] looks at the flag, the environment, the PATH and the cache, in this order', async () => {
  const { find, write, folder, cached } = setUp()
  const [flag, variable, onPath] = [write('flag/cf'), write('variable/cf'), write('bin/cloudflared')]
  write('cache/atrium-agent/cloudflared/1.2.3/0/cloudflared')
  const env = { ATRIUM_CLOUDFLARED: variable, PATH: `relative:${join(folder, 'bin')}` }
  expect(await find({ path: flag }, env)).toBe(flag)
  expect(await find({}, env)).toBe(variable)
  expect(await find({}, { PATH: env.PATH })).toBe(onPath)
  expect(await find()).toBe(cached)
  await expect(find({ path: join(folder, 'none') })).rejects.toThrow('(from --cloudflared) is not a program')
  await expect(find({}, { ATRIUM_CLOUDFLARED: folder })).rejects.toThrow(
    '(from ATRIUM_CLOUDFLARED) is not a program',
  )
})

it('[AG111] downloads the pinned release after consent, once, and checks it again each time', async () => {
  const { find, cached, questions } = setUp()
  const { address, asked } = await serveFile((response) => sendFile(response, program))
  const release = releaseOf(address)
  expect(await find({ release })).toBe(cached)
  expect(readFileSync(cached)).toEqual(program)
  expect(statSync(cached).mode & 0o777).toBe(0o700)
  expect(questions).toEqual([
    expect.stringContaining(`Download version 1.2.3 from ${address}/cloudflared-linux-amd64`),
  ])
  expect(await find({ release })).toBe(cached)
  expect(asked()).toBe(1)
  writeFileSync(cached, 'damaged')
  await find({ release })
  expect(readFileSync(cached)).toEqual(program)
})

it('[AG75] uses nothing from a cache of another user', async () => {
  const { find, write } = setUp()
  write('cache/atrium-agent/cloudflared/1.2.3/0/cloudflared')
  becomeAnotherUser()
  await expect(find()).rejects.toThrow(/cache\/atrium-agent belongs to another user/)
})

it('[AG111] downloads nothing without consent or for an unknown machine', async () => {
  const { find } = setUp()
  await expect(find({ consent: async () => false })).rejects.toThrow(
    /add --yes\. Install cloudflared yourself/,
  )
  const machine = { platform: 'freebsd' as const, arch: 'x64', env: { PATH: '', HOME: '/nowhere' } }
  await expect(find({ machine })).rejects.toThrow('none is known for freebsd on x64')
})

it('[AG112] keeps no program that is wrong, broken or refused', async () => {
  const { find, cache } = setUp()
  const wrong = await serveFile((response) => sendFile(response, Buffer.from('something else')))
  const broken = await serveFile((response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('half')
    response.destroy()
  })
  const refusing = await serveFile((response) => response.writeHead(503).end())
  await expect(find({ release: releaseOf(wrong.address) })).rejects.toThrow(
    'cloudflared 1.2.3 does not have the expected checksum',
  )
  await expect(find({ release: releaseOf(broken.address) })).rejects.toThrow(/The download of .* broke off/)
  await expect(find({ release: releaseOf(refusing.address) })).rejects.toThrow('answered 503')
  expect(existsSync(join(cache, 'atrium-agent', 'cloudflared'))).toBe(false)
})

it('[AG112] takes the program out of an archive, and checks it too', async () => {
  const { find, folder, write, cache, cached } = setUp()
  write('archive/cloudflared')
  write('archive/README', 'x')
  const path = join(folder, 'cloudflared.tgz')
  execFileSync('tar', ['-czf', path, '-C', join(folder, 'archive'), 'cloudflared', 'README'])
  const archive = readFileSync(path)
  const { address } = await serveFile((response) => sendFile(response, archive))
  const { files, ...release } = releaseOf(address, archive)
  const file = { ...files['linux-x64'], name: 'cloudflared-darwin-arm64.tgz' }
  const other = { ...file, binarySha256: sha256Of(archive) }
  await expect(find({ release: { ...release, files: { 'linux-x64': other } } })).rejects.toThrow(
    'contains another program than expected',
  )
  await find({ release: { ...release, files: { 'linux-x64': file } } })
  expect(readFileSync(cached)).toEqual(program)
  expect(readdirSync(join(cache, 'atrium-agent', 'downloads'))).toEqual([])
})

it('[AG111] asks on a terminal only, and takes anything but yes as no', async () => {
  const ask = (answers?: string) =>
    askConsent('Download it?', createTestIo(answers === undefined ? {} : { answers }).io)
  expect(await Promise.all([ask('y\n'), ask('Yes\n'), ask('n\n'), ask('\n'), ask(''), ask()])).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
