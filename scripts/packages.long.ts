import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  createApi,
  createResearcher,
  createTemporaryFolder,
  startServer,
  startStubModelServer,
} from '@atrium/testkit'
import { beforeAll, expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = createTemporaryFolder('packages-in-use')

/** As in a shell outside the repository, so that `node` is the machine's own: 20 or newer. */
const env = Object.fromEntries(
  Object.entries(process.env)
    .filter(([name]) => !/^(npm_|NODE_|VITEST|ATRIUM_)/i.test(name))
    .map(([name, value = '']) => [name, name === 'PATH' ? withoutPackages(value) : value]),
)

function withoutPackages(path: string): string {
  return path
    .split(delimiter)
    .filter((part) => !part.includes('node_modules'))
    .join(delimiter)
}

const node = (file: string, ...args: string[]) => run('node', [file, ...args], { cwd: folder.path, env })

beforeAll(async () => {
  const packed = join(folder.path, 'packed')
  await run(process.execPath, [join(root, 'scripts', 'pack.ts'), '--to', packed], { env })
  writeFileSync(join(folder.path, 'package.json'), '{ "private": true, "type": "module" }')
  const tarballs = readdirSync(packed).map((name) => `./packed/${name}`)
  expect(tarballs).toHaveLength(3)
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs], {
    cwd: folder.path,
    env,
  })
  return () => folder.remove()
}, 600_000)

const study = {
  name: 'One question',
  states: [{ id: 's1', components: [{ id: 'c1', type: 'slider' }] }],
  completion: { codes: { SUCCESS: 'PACKED-1' } },
}

/** A whole study by somebody who has only the package: with types, so that the compiler reads it too. */
const program = `
import { asGuest, createParticipant, takePart } from '@atrium/client'
import { fileMemory } from '@atrium/client/node'
import { limits, RoomSnapshot, type RoomEvent } from '@atrium/contract'
import { responseSchemaOf } from '@atrium/contract/components'
import { Value } from 'typebox/value'

const [, , baseUrl = '', experimentId = ''] = process.argv
const schema = responseSchemaOf({ id: 'c1', type: 'slider' })
const fits: boolean = schema !== undefined && Value.Check(schema, 4)
const events: RoomEvent[] = []
const participant = createParticipant({ baseUrl, getIdToken: asGuest({ baseUrl, experimentId }) })
const { experimentConfig } = await participant.join(experimentId)
await participant.record({ type: 'hello', data: { from: process.versions.node } })
let isThere: () => void = () => undefined
const snapshot = new Promise<void>((resolve) => (isThere = resolve))
const room = await takePart(participant, { onSnapshot: () => isThere(), onEvent: (event) => events.push(event) })
await snapshot
const isValid: boolean = Value.Check(RoomSnapshot, room.view)
await room.submitResponse('c1', 4, { responseTime: 830 })
await room.ready()
const { completionCode } = await participant.complete({ completionCode: 'SUCCESS' })
await participant.close()
const name: string = experimentConfig.name
const memory: string = typeof fileMemory
console.log(JSON.stringify({ name, completionCode, isValid, fits, memory, bytes: limits.bodyBytes }))
`

test('somebody plays a whole study with the installed packages on the machine’s own Node', async () => {
  const server = await startServer()
  onTestFinished(async () => void (await server.stop()))
  const researcher = await createResearcher(createApi(() => server.http))
  const experimentId = await researcher.openExperiment(study)
  // What the compiler would write: the program has types only where they can be erased, and Node 20 cannot erase them.
  const { transform } = await import('rolldown/utils')
  const { code } = await transform('play.ts', program)
  writeFileSync(join(folder.path, 'play.js'), code)
  const { stdout } = await node('play.js', server.http, experimentId)
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'One question',
    completionCode: 'PACKED-1',
    isValid: true,
    fits: true,
    memory: 'function',
  })
  const lines = await researcher.exported(experimentId)
  expect(lines.find(({ type }) => type === 'component_response')).toMatchObject({ data: { value: 4 } })
  expect(lines.find(({ type }) => type === 'hello')).toBeDefined()
})

/** Strictly, and with the declarations themselves checked. */
const compile = (file: string) => {
  const options = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
    'false',
    '--lib',
    'es2024,dom',
  ]
  const modules = ['--target', 'es2024', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--noEmit']
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return run(process.execPath, [compiler, ...options, ...modules, '--types', 'node', file], {
    cwd: folder.path,
  })
    .then(() => '')
    .catch((error: { stdout: string }) => error.stdout)
}

test('the compiler reads the types of the packages, and finds mistakes', async () => {
  mkdirSync(join(folder.path, 'node_modules', '@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types'])
    cpSync(join(root, 'node_modules', name), join(folder.path, 'node_modules', name), { recursive: true })
  writeFileSync(join(folder.path, 'play.ts'), program)
  expect(await compile('play.ts')).toBe('')
  writeFileSync(join(folder.path, 'wrong.ts'), program.replace("submitResponse('c1', 4", 'submitResponse(4'))
  expect(await compile('wrong.ts')).toContain("'number' is not assignable to parameter of type 'string'")
})

test('the compiler reads the types of the served SDK, which stand alone', async () => {
  cpSync(join(root, 'apps', 'web', 'dist', 'sdk'), join(folder.path, 'sdk'), { recursive: true })
  const page = `import { asGuest, createParticipant, takePart } from './sdk/atrium.js'
const getIdToken = asGuest({ baseUrl: '', experimentId: '' })
const room = await takePart(createParticipant({ baseUrl: '', getIdToken }))
const alias: string | undefined = room.view?.self.alias
console.log(alias)
`
  writeFileSync(join(folder.path, 'page.ts'), page)
  expect(await compile('page.ts')).toBe('')
  writeFileSync(join(folder.path, 'page.ts'), page.replace('alias: string', 'alias: number'))
  expect(await compile('page.ts')).toContain("'string' is not assignable to type 'number'")
})

test('the installed agent tool verifies a model server', async () => {
  const stub = await startStubModelServer()
  onTestFinished(stub.stop)
  const command = join(folder.path, 'node_modules', '.bin', 'atrium-agent')
  const args = ['verify', '--base-url', stub.baseUrl, '--json', '--quick', '--parallel', '2']
  const { stdout } = await run(command, args, { env: { ...env, ATRIUM_AGENT_API_KEY: stub.apiKey } })
  expect(JSON.parse(stdout)).toMatchObject({ ok: true })
})
