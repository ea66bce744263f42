import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { becomeAnotherUser } from '../../../test/another-user.ts'
import { binaryPackages, installNodeLlama } from './install.ts'

/** npm itself installs in test/serve-command.long.ts; here a program in its place, which fails as npm does. */
let home: ReturnType<typeof createTemporaryFolder>

beforeEach(() => {
  home = createTemporaryFolder('install')
  mkdirSync(join(home.path, 'bin'))
})
afterEach(() => home.remove())

const folder = () => join(home.path, 'engines')
const install = (env: NodeJS.ProcessEnv = {}) =>
  installNodeLlama(folder(), {
    say: () => undefined,
    env: { ...process.env, npm_execpath: undefined, PATH: `${home.path}/bin:${process.env.PATH}`, ...env },
  })

function npmDoes(script: string): void {
  writeFileSync(join(home.path, 'bin', 'npm'), `#!/bin/sh\necho "$@" >> ${home.path}/calls\n${script}\n`)
  chmodSync(join(home.path, 'bin', 'npm'), 0o755)
}

const [binary = ''] = binaryPackages(false, process)
const installs = (version: string) => `
for name in node-llama-cpp ${binary}; do
  mkdir -p node_modules/$name
  echo '{"version":"${version}"}' > node_modules/$name/package.json
done`

describe('[AG48] installing node-llama-cpp', () => {
  test('asks npm once for the pinned version, without scripts and without the parts for other machines', async () => {
    npmDoes(installs('3.22.1'))
    const first = await install()
    expect(await install()).toBe(first)
    const calls = readFileSync(join(home.path, 'calls'), 'utf8').trim().split('\n')
    expect(calls).toHaveLength(1)
    for (const part of ['node-llama-cpp@3.22.1', `${binary}@3.22.1`, '--omit=optional', '--ignore-scripts'])
      expect(calls[0]).toContain(part)
    expect(existsSync(join(first, 'node_modules', 'node-llama-cpp'))).toBe(true)
  })

  test('one that another process has installed in the meantime is left as it is', async () => {
    // As the other process would: it ends while our npm is still at work.
    const target = join(folder(), 'node-llama-cpp-3.22.1-cpu')
    npmDoes(
      `(mkdir -p '${target}' && cd '${target}' && ${installs('3.22.1')}\ntouch in-use)\n${installs('3.22.1')}`,
    )
    expect(await install()).toBe(target)
    expect(readdirSync(folder())).toEqual([basename(target)])
    expect(existsSync(join(target, 'in-use'))).toBe(true)
  })

  test('a failure is said with npm’s words, and leaves nothing that looks installed', async () => {
    npmDoes('echo "npm error ENOSPC: no space left on device" >&2\nexit 228')
    await expect(install()).rejects.toThrow('npm error ENOSPC: no space left on device')
    npmDoes(installs('3.0.0'))
    await expect(install()).rejects.toThrow('npm did not install all of node-llama-cpp')
    await expect(install({ PATH: '/nowhere' })).rejects.toThrow('which is not on this machine')
    expect(readdirSync(folder())).toEqual([])
  })

  test('what an installation that was killed has left is removed once it is certainly not under way', async () => {
    npmDoes(installs('3.22.1'))
    const [old, young] = ['unfinished-old', 'unfinished-young'].map((name) => join(folder(), name))
    for (const path of [old, young]) mkdirSync(String(path), { recursive: true })
    utimesSync(String(old), 1, 1)
    const target = await install()
    expect(readdirSync(folder()).toSorted()).toEqual([basename(target), 'unfinished-young'])
  })

  test('[AG75] one that another user has installed is not loaded', async () => {
    npmDoes(installs('3.22.1'))
    await install()
    becomeAnotherUser()
    await expect(install()).rejects.toThrow('belongs to another user')
  })

  test('the package fits the machine', () => {
    expect(binaryPackages(false, { platform: 'linux', arch: 'x64' })).toEqual(['@node-llama-cpp/linux-x64'])
    expect(binaryPackages('cuda', { platform: 'linux', arch: 'x64' })).toEqual([
      '@node-llama-cpp/linux-x64-cuda',
      '@node-llama-cpp/linux-x64-cuda-ext',
    ])
    expect(binaryPackages('vulkan', { platform: 'win32', arch: 'x64' })).toEqual([
      '@node-llama-cpp/win-x64-vulkan',
    ])
    for (const compute of [false, 'metal'] as const)
      expect(binaryPackages(compute, { platform: 'darwin', arch: 'arm64' })).toEqual([
        '@node-llama-cpp/mac-arm64-metal',
      ])
    expect(() => binaryPackages('cuda', { platform: 'linux', arch: 'arm64' })).toThrow('nothing ready-made')
    expect(() => binaryPackages(false, { platform: 'freebsd', arch: 'x64' })).toThrow('nothing ready-made')
  })
})
