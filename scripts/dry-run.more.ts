import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runnableOf } from '@atrium/testkit'
import { expect, it } from 'vitest'

const script = runnableOf(fileURLToPath(new URL('./dry-run.ts', import.meta.url)))
const example = fileURLToPath(new URL('../examples/negotiation.json', import.meta.url))
const run = promisify(execFile)
const dryRun = async (...args: string[]) => (await run(process.execPath, [script, ...args])).stdout

it('reports the results of an example, with a histogram of waiting times', async () => {
  const output = await dryRun(example, '--people', '100', '--per-minute', '6', '--seed', '7')
  expect(output).toContain('100 people in')
  expect(output).toMatch(/matched +100 \(100 %\)/)
  expect(output).toContain('50 groups: 50 full')
  expect(output).toMatch(/up to .* s +█+ \d+/)
  // By its name too, as for `simulate`.
  expect(await dryRun('negotiation', '--people', '100', '--seed', '7')).toBe(output)
  expect(await dryRun('--help')).toContain('npm run dry-run')
})

it('accepts roles and how long people wait before they leave', async () => {
  const output = await dryRun(example, '--people', '60', '--roles', 'buyer:9,seller:1', '--leave-after', '30')
  expect(output).toMatch(/left +[1-9]\d* \(/)
})

it('names attributes that matching uses but nobody has', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-dry-run-'))
  const file = join(folder, 'filtered.json')
  const matching = { groupSize: 2, filters: [{ attribute: 'age', min: 18 }], balance: ['gender'] }
  await writeFile(file, JSON.stringify({ name: 'x', states: [{ id: 's1', components: [] }], matching }))
  expect(await dryRun(file)).toContain('No simulated person has age, gender')
  expect(await dryRun(file, '--attribute', 'age=30', '--attribute', 'gender=f,m')).not.toContain(
    'No simulated person has',
  )
  await rm(folder, { recursive: true })
})

it('[M31] says which part of a group is short, and how it would be in order of arrival', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-dry-run-'))
  const file = join(folder, 'debate.json')
  const compose = [
    { when: "metadata.opinion == 'for'", count: 1 },
    { when: "metadata.opinion == 'against'", count: 1 },
  ]
  const matching = { groupSize: 2, compose }
  await writeFile(file, JSON.stringify({ name: 'x', states: [{ id: 's1', components: [] }], matching }))
  expect(await dryRun(file)).toContain('No simulated person has opinion')
  const output = await dryRun(file, '--attribute', 'opinion=for:9,against:1')
  expect(output).toMatch(/1 × metadata\.opinion == 'against': \d+ people fit; too few of them \d+ %/)
  expect(output).toContain('In order of arrival alone: 200 matched')
  await rm(folder, { recursive: true })
})

it('explains invalid arguments and where a definition is invalid', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-dry-run-'))
  const file = join(folder, 'wrong.json')
  await writeFile(file, '{"name":"x","states":[{"id":"s1","components":[]}],"matching":{"groupSize":0}}')
  const refusals: [string[], string][] = [
    [[], 'npm run dry-run'],
    [[example, '--peeple', '3'], '--peeple'],
    [[example, '--people', '20001'], '--people must be a number greater than 0 and at most 20000'],
    [[example, '--pattern', 'odd'], '--pattern must be one of'],
    [[join(folder, 'nowhere.json')], 'cannot be read'],
    [[file], '/matching/groupSize'],
  ]
  await Promise.all(
    refusals.map(([args, message]) =>
      expect(dryRun(...args)).rejects.toMatchObject({ stderr: expect.stringContaining(message) }),
    ),
  )
  await rm(folder, { recursive: true })
})
