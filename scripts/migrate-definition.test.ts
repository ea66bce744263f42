import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryFolder, runnableOf } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'

const script = runnableOf(fileURLToPath(new URL('./migrate-definition.ts', import.meta.url)))

interface Ended {
  code: number
  stdout: string
  stderr: string
}

function setUp() {
  const folder = createTemporaryFolder('migrate-definition')
  onTestFinished(() => folder.remove())
  const at = (name: string) => join(folder.path, name)
  const file = (name: string, content: string) => {
    writeFileSync(at(name), content)
    return at(name)
  }
  const migrate = (...args: string[]) =>
    new Promise<Ended>((resolve) => {
      execFile(process.execPath, [script, ...args], (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      )
    })
  return { folder: folder.path, at, file, migrate }
}

const old = (more: object) =>
  JSON.stringify(
    { name: 'S', states: [{ id: 's', components: [{ id: 'mood', type: 'slider', ...more }] }] },
    null,
    '\t',
  )

it('[F180] explains an older definition, and writes it only where it is told to', async () => {
  const { folder, at, file, migrate } = setUp()
  const study = file('study.json', old({ labl: 'How are you?' }))
  // At the same time: starting a program is what takes long on a busy machine.
  const [shown, written] = await Promise.all([migrate(study), migrate(study, '--out', at('new.json'))])
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toContain('/states/0/components/0/labl\n  removed "How are you?"\n')
  expect(shown.stdout).toContain('did you mean ‘label’')
  expect(shown.stdout).toContain(
    '1 change, not written; use --write or --out. The new definition can be saved.',
  )
  expect(written.code).toBe(0)
  expect(readFileSync(study, 'utf8')).toBe(old({ labl: 'How are you?' }))
  expect(readFileSync(at('new.json'), 'utf8')).toBe(`${old({})}\n`)

  // A file that somebody has is not lost to another.
  const [again, inPlace] = await Promise.all([
    migrate(study, '--out', at('new.json')),
    migrate(file('other.json', old({ labl: 'x' })), '--write'),
  ])
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be written') })
  expect(inPlace.code).toBe(0)
  expect(readFileSync(at('other.json'), 'utf8')).toBe(`${old({})}\n`)
  expect(readdirSync(folder).toSorted()).toEqual(['new.json', 'other.json', 'study.json'])
})

it('[F180] writes through a link into the file that was read, and touches no other', async () => {
  const { folder, at, file, migrate } = setUp()
  const study = file('study.json', old({ labl: 'x' }))
  chmodSync(study, 0o600)
  file('study.json.new', 'of somebody else')
  symlinkSync('study.json', at('link.json'))
  expect((await migrate(at('link.json'), '--write')).code).toBe(0)
  expect(lstatSync(at('link.json')).isSymbolicLink()).toBe(true)
  expect(readFileSync(study, 'utf8')).toBe(`${old({})}\n`)
  expect(statSync(study).mode & 0o777).toBe(0o600)
  expect(readFileSync(at('study.json.new'), 'utf8')).toBe('of somebody else')
  expect(readdirSync(folder).toSorted()).toEqual(['link.json', 'study.json', 'study.json.new'])
})

it('[F180] shows what is nested without end, and names that would command the terminal', async () => {
  const { file, migrate } = setUp()
  const nested = '['.repeat(100_000) + ']'.repeat(100_000)
  const [deep, named] = await Promise.all([
    migrate(file('deep.json', old({ min: 0 }).replace(/"min": 0/, `"min": ${nested}`))),
    migrate(file('named.json', old({ '\u001b[2Jlabl\n': 'x' }))),
  ])
  expect(deep).toMatchObject({ code: 1, stderr: '' })
  expect(deep.stdout).toContain('nested too deep')
  expect(named.stdout).toContain('/states/0/components/0/\\u001b[2Jlabl\\u000a\n  removed "x"\n')
})

it('[F182] leaves a definition that can be saved as it is', async () => {
  const { file, migrate } = setUp()
  const compact = JSON.stringify(JSON.parse(old({})))
  const study = file('study.json', compact)
  const { code, stdout } = await migrate(study, '--write')
  expect(code).toBe(0)
  expect(stdout).toContain('Nothing has to change')
  expect(readFileSync(study, 'utf8')).toBe(compact)
})

it('[F180] says by its exit code what is left to decide, and what it could not read', async () => {
  const { at, file, migrate } = setUp()
  const undecided = file('undecided.json', old({ min: 'low' }))
  const [decide, ...misused] = await Promise.all([
    migrate(undecided, '--write'),
    migrate(),
    migrate(undecided, '--write', '--out', at('x.json')),
    migrate(at('nothing.json')),
    migrate(file('broken.json', '{')),
    migrate(file('huge.json', ' '.repeat(5_000_000))),
  ])
  expect(decide.code).toBe(1)
  expect(decide.stdout).toContain('/states/0/components/0/min\n  to decide: "low"\n')
  expect(decide.stdout).toContain('Nothing was changed. 1 place to decide.')
  expect(readFileSync(undecided, 'utf8')).toBe(old({ min: 'low' }))
  for (const { code, stderr } of misused) {
    expect(code).toBe(2)
    expect(stderr).toMatch(/npm run migrate-definition|cannot be read/)
  }
  expect(existsSync(at('x.json'))).toBe(false)
})
