import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTemporaryFolder, startStubModelServer, waitUntil } from '@atrium/testkit'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { version } from '../src/cli/version.ts'
import { writeStubCloudflared } from './stub-cloudflared.ts'
import { isRunning } from './tunnel-world.ts'

const run = promisify(execFile)
const agent = fileURLToPath(new URL('..', import.meta.url))
const packScript = fileURLToPath(new URL('../../../scripts/pack.ts', import.meta.url))

/** As in a shell outside the repository: without what npm and Vitest add, so that `node` is the machine's own. */
const env = Object.fromEntries(
  Object.entries(process.env)
    .filter(([name]) => !/^(npm_|NODE_|VITEST|ATRIUM_)/i.test(name))
    .map(([name, value]) => [
      name,
      name === 'PATH'
        ? value
            ?.split(delimiter)
            .filter((folder) => !folder.includes('node_modules'))
            .join(delimiter)
        : value,
    ]),
)

const folder = createTemporaryFolder('agent-pack')
const installed = join(folder.path, 'node_modules', '@atrium', 'agent')
const command = join(folder.path, 'node_modules', '.bin', 'atrium-agent')

beforeAll(async () => {
  // What `npm run pack -- agent` runs: it builds from the sources, so that what an earlier build has left is never packed.
  await run(process.execPath, [packScript, 'agent', '--to', folder.path], { env })
  writeFileSync(join(folder.path, 'package.json'), '{"private": true}')
  const flags = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder.path, 'npm')]
  await run('npm', ['install', ...flags, `./atrium-agent-${version}.tgz`], { cwd: folder.path, env })
  return () => folder.remove()
}, 600_000) // npm starts slowly on a busy machine.

/** A failed run rejects with an error that has the same fields. */
const asResult = (error: unknown) => error as { code: number; stdout: string; stderr: string }

it('[AG125] the package holds one program, its licences and its pages, and needs nothing else', () => {
  expect(readdirSync(installed).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ])
  expect(readdirSync(join(installed, 'dist')).toSorted()).toEqual(['LICENSES.txt', 'atrium-agent.js'])
  expect(readFileSync(join(installed, 'dist', 'LICENSES.txt'), 'utf8')).toContain('typebox 1.')
  expect(statSync(join(installed, 'dist', 'atrium-agent.js')).mode & 0o111).toBe(0o111)
  const packages = readdirSync(join(folder.path, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(packages).toEqual(['@atrium'])
})

it('[AG125] the folder of the sources cannot be packed: there is no program in it', async () => {
  const refused = await run('npm', ['pack', '--dry-run'], { cwd: agent, env }).catch(asResult)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('must have name and version') })
  expect(readFileSync(join(agent, 'package.json'), 'utf8')).toContain('Pack with: npm run pack -- agent')
})

it('[AG125] [R46] the installed command runs with the node of this machine', async () => {
  const stub = await startStubModelServer()
  onTestFinished(stub.stop)
  const verify = ['verify', '--base-url', stub.baseUrl, '--json', '--quick', '--parallel', '2']
  // At the same time: starting a program is what takes long on a busy machine.
  const [said, help, plan, good, bad] = await Promise.all([
    run(command, ['--version'], { env }),
    run(command, ['--help'], { env }),
    run(command, ['serve', '--dry-run', '--json', '--model', 'qwen3-0.6b', '--parallel', '1', '--cpu'], {
      env,
    }),
    run(command, verify, { env: { ...env, ATRIUM_AGENT_API_KEY: stub.apiKey } }).catch(asResult),
    run(command, [...verify, '--api-key', 'atr_wrong'], { env }).catch(asResult),
  ])
  expect(said.stdout).toBe(`${version}\n`)
  expect(help.stdout).toContain('Usage: atrium-agent <command>')
  expect(JSON.parse(plan.stdout)).toMatchObject({
    event: 'plan',
    model: { name: 'qwen3-0.6b', device: 'cpu' },
  })
  expect(JSON.parse(good.stdout)).toMatchObject({ ok: true, baseUrl: stub.baseUrl })
  expect(bad).toMatchObject({ code: 1, stdout: expect.stringContaining('endpoint rejected the API key') })
})

function start(...args: string[]) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, stderr: text(child.stderr), ended: endOf(child) }
}

/** A program may take a minute to start on a busy machine. */
const patiently = { timeoutMs: 240_000 }

const endOf = (child: ChildProcess) => new Promise((resolve) => child.once('close', resolve))

it('[AG123] Ctrl-C stops a command in order', async () => {
  let isAsked = false
  const stub = await startStubModelServer({
    onCompletion: () => {
      isAsked = true
      return new Promise(() => undefined)
    },
  })
  onTestFinished(stub.stop)
  const { child, stderr, ended } = start('verify', '--base-url', stub.baseUrl, '--api-key', stub.apiKey)
  await waitUntil(() => isAsked || 'not checking yet', patiently)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(await stderr).toContain('Stopped.\n')
})

it('[AG123] a second Ctrl-C exits at once and leaves nothing behind', async () => {
  const other = createTemporaryFolder('agent-stop')
  onTestFinished(() => other.remove())
  const stub = await startStubModelServer()
  onTestFinished(stub.stop)
  const binary = writeStubCloudflared(other.path, 'deaf')
  const { child, ended } = start('tunnel', '--port', String(stub.port), '--cloudflared', binary)
  await waitUntil(() => existsSync(`${binary}.json`) || 'cloudflared is not started yet', patiently)
  child.kill('SIGINT')
  await waitUntil(() => existsSync(`${binary}.asked`) || 'cloudflared is not asked to end yet', patiently)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  const { pid } = JSON.parse(readFileSync(`${binary}.json`, 'utf8'))
  await waitUntil(() => !isRunning(pid) || 'cloudflared is still running', patiently)
})

it('[AG124] a reader that goes away is no error', async () => {
  const { child, stderr, ended } = start('verify', '--help')
  child.stdout.destroy()
  expect(await ended).toBe(0)
  expect(await stderr).toBe('')
})
