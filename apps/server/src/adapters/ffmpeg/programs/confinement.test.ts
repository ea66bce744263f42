import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import { afterAll, expect, test } from 'vitest'
import { memoryLimit } from './confinement.ts'
import { createToolFinder, findProgram } from './tools.ts'

// A video that takes ffmpeg over: what could it do? The programs here are scripts that try it.
const temporary = createTemporaryFolder('confinement')
afterAll(() => temporary.remove())
const searchPath = process.env.PATH ?? ''
const live = () => new AbortController().signal

async function confine(ffmpegPath?: string) {
  const warnings: string[] = []
  const warn = (_: unknown, message: string) => void warnings.push(message)
  const find = createToolFinder({ ffmpegPath, ffprobePath: ffmpegPath, searchPath, warn })
  const folder = join(temporary.path, `job-${crypto.randomUUID()}`)
  await mkdir(folder)
  // Where bubblewrap is not permitted, one warning says so, and nothing is promised.
  return { tools: await find(folder), folder, isSandboxed: warnings.length === 0 }
}

/** A script that passes for ffmpeg when it is asked what it can do. */
async function makeProgram(name: string, script: string): Promise<string> {
  const path = join(temporary.path, name, 'program')
  await mkdir(dirname(path))
  const answer = 'case "$*" in *-hide_banner*) echo "Encoder libx264"; exit;; esac'
  await writeFile(path, `#!/bin/sh\n${answer}\n${script}\n`, { mode: 0o755 })
  return path
}

test('[T2] where bubblewrap is permitted, it is used', async () => {
  const least = ['--unshare-all', '--ro-bind', '/', '/', 'true']
  const isPermitted = await promisify(execFile)('bwrap', least).then(
    () => true,
    () => false,
  )
  expect((await confine()).isSandboxed).toBe(isPermitted)
})

test('[T2] a program writes nowhere but in the job’s folder, and cannot make other folders writable', async () => {
  const attempts = [
    'touch mine && echo mine',
    // The folder exists only in the sandbox: without one, the script tries nothing.
    'test -d /job || exit 0',
    'for folder in / /tmp /usr /dev; do touch $folder/written && echo "written in $folder"; done',
    'mount -o remount,rw,bind /usr && echo remounted',
    'mount -o remount,rw / && echo remounted',
  ]
  const { tools, folder } = await confine(await makeProgram('writer', attempts.join('\n')))
  const { output } = await tools.ffmpeg([], { folder, signal: live() })
  expect(output).toBe('mine\n')
  expect(await readdir(folder)).toEqual(['mine'])
})

test('[T2] a program sees nothing that lies beside it', async () => {
  const path = await makeProgram('beside', 'ls "$(dirname "$0")"')
  await writeFile(join(dirname(path), 'secret.env'), 'SESSION_SECRET=x')
  const { tools, folder, isSandboxed } = await confine(path)
  const { output } = await tools.ffmpeg([], { folder, signal: live() })
  expect(output).toBe(isSandboxed ? 'program\n' : 'program\nsecret.env\n')
})

test('[T2] ffmpeg reaches no network, whatever it is asked to open', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { tools, folder, isSandboxed } = await confine()
  const input = ['-nostdin', '-v', 'error', '-i', `http://127.0.0.1:${port}/film.mp4`]
  const { code } = await tools.ffmpeg([...input, '-f', 'null', '-'], { folder, signal: live() })
  expect(code).not.toBe(0)
  expect(requests > 0).toBe(!isSandboxed)
  server.close()
})

test('[T2] a program that has had its processor time is ended, and one that a signal ends is told from one that fails', async () => {
  const spin = await confine(await makeProgram('spin', 'while :; do :; done'))
  const spun = await spin.tools.ffmpeg([], { folder: spin.folder, signal: live(), cpuSeconds: 1 })
  expect(spun.code).toBeNull()
  const killed = await confine(await makeProgram('killed', 'kill -KILL $$'))
  expect((await killed.tools.ffmpeg([], { folder: killed.folder, signal: live() })).code).toBeNull()
  const failing = await confine(await makeProgram('failing', 'exit 255'))
  expect((await failing.tools.ffmpeg([], { folder: failing.folder, signal: live() })).code).toBe(255)
})

test('[T2] when memory runs out, the system ends a program before the server', async () => {
  const path = await makeProgram('waiting', 'echo started; sleep 1000')
  const { tools, folder } = await confine(path)
  const stop = new AbortController()
  let hasStarted = false
  const onLine = () => {
    hasStarted = true
  }
  const run = tools.ffmpeg([], { folder, signal: stop.signal, onLine }).catch(() => undefined)
  await waitUntil(() => hasStarted || 'the program has not started')
  const scores = processesOf(path).map((pid) => readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim())
  const canBeChosen = (await findProgram('choom', searchPath)) !== undefined
  expect(scores.length).toBeGreaterThan(0)
  if (canBeChosen) expect(new Set(scores)).toEqual(new Set(['1000']))
  stop.abort()
  await run
})

const processesOf = (path: string): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(path)
    } catch {
      return false // It has ended meanwhile.
    }
  })

test.each([
  [512, 1024],
  [4_096, 2_048],
  [65_536, 8_192],
])('[T2] of a machine with %d MiB, one program may take %d MiB', (machineMib, limitMib) => {
  expect(memoryLimit(machineMib * 2 ** 20)).toBe(limitMib * 2 ** 20)
})
