import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  createApi,
  createResearcher,
  createTemporaryFolder,
  linesOf,
  runnableOf,
  startServer,
} from '@atrium/testkit'
import { expect, it } from 'vitest'
import type { ExportedEvent } from '../packages/contract/src/index.ts'

const script = runnableOf(fileURLToPath(new URL('./simulate.ts', import.meta.url)))
const run = promisify(execFile)
const simulated = (...args: string[]) => run(process.execPath, [script, ...args])

const short = { name: 'Short', states: [{ id: 's1', components: [{ id: 'c1', type: 'slider' }] }] }

it('runs an example on its own server and prints a summary', async () => {
  const { stdout } = await simulated('quick-survey', '--participants', '3', '--speed', '50', '--dropout', '0')
  expect(stdout).toContain('Quick survey: 3 participants')
  expect(stdout).toMatch(/SUCCESS +3 /)
  expect(stdout).toContain('invariants checked, all hold.')
})

it('runs a file or an experiment on a running server, and exits with 1 if an invariant is broken', async () => {
  const server = await startServer()
  const folder = createTemporaryFolder('simulate')
  const few = ['--participants', '2', '--speed', '100', '--dropout', '0', '--server', server.http]
  const researcher = await createResearcher(createApi(server.http))
  const { stdout } = await simulated(await researcher.openExperiment(short), ...few)
  expect(stdout).toMatch(/SUCCESS +2 /)
  // One place for two people: the one who is turned away never finishes.
  const file = join(folder.path, 'crowded.json')
  writeFileSync(file, JSON.stringify({ ...short, capacity: 1 }))
  await expect(simulated(file, ...few)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('everyone who did not drop out comes to an end: 1'),
  })
  // Whoever does not say what a filter asks for is screened out.
  const filtered = join(folder.path, 'filtered.json')
  const matching = { groupSize: 2, filters: [{ attribute: 'age', min: 18 }] }
  writeFileSync(filtered, JSON.stringify({ ...short, matching }))
  const nobody = await simulated(filtered, ...few)
  expect(nobody.stdout).toMatch(/screened_out\) +2 /)
  expect(nobody.stdout).toContain('No simulated person has age; see --attribute')
  const adults = await simulated(filtered, ...few, '--attribute', 'age=30:1,40:3')
  expect(adults.stdout).toMatch(/SUCCESS +2 /)
  expect(adults.stdout).not.toContain('No simulated person')
  await server.stop()
  folder.remove()
})

it('plays a study with agents in every seat, and says where the data is', async () => {
  const folder = createTemporaryFolder('pilot')
  const file = (name: string, content: unknown) => {
    writeFileSync(join(folder.path, name), JSON.stringify(content))
    return join(folder.path, name)
  }
  const persona = { id: 'ann', name: 'Ann', provider: 'Scripted', instructions: '' }
  const personas = file('personas.json', { agents: [persona], budget: { turns: 100 } })
  const out = join(folder.path, 'out')
  const args = ['--agents', personas, '--rooms', '2', '--speed', '200', '--out', out]
  const { stdout } = await simulated(file('study.json', { ...short, matching: { groupSize: 2 } }), ...args)
  expect(stdout).toContain('Short: 2 rooms played by agents')
  expect(stdout).toMatch(/states +s1\n +outcomes +SUCCESS 2\n +turns +applied 2;/)
  expect(stdout).toContain('Every room has finished.')
  const events = linesOf(readFileSync(join(out, 'events.jsonl'), 'utf8')) as ExportedEvent[]
  expect(events.every(({ agent, synthetic }) => agent === 'ann' && synthetic)).toBe(true)
  expect(linesOf(readFileSync(join(out, 'agent-turns.jsonl'), 'utf8')).length).toBe(4)

  const server = await startServer()
  const there = ['--server', server.http, '--agents', personas, '--speed', '200']
  const { token, openExperiment } = await createResearcher(createApi(server.http))
  const played = await simulated(await openExperiment(short), ...there, '--token', token, '--out', out)
  expect(played.stdout).toContain('Every room has finished.')
  // Its only state lasts longer than anybody waits here.
  const endless = { ...short, states: [{ ...short.states[0], end: { on: 'timed', afterMs: 86_400_000 } }] }
  await expect(
    simulated(file('endless.json', endless), ...there, '--minutes', '0.01', '--out', out),
  ).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('1 of 1 rooms did not finish.') })
  const unknown = file('unknown.json', [{ ...persona, role: 'king' }])
  await expect(simulated(file('study.json', short), ...there, '--agents', unknown)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('role ‘king’ does not exist'),
  })
  const { provider: _, ...hired } = { ...persona, credentialId: 'cred_1' }
  await expect(simulated('quick-survey', '--agents', file('hired.json', [hired]))).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name a running platform that has it with --server'),
  })
  await expect(simulated('quick-survey', '--agents', 'nowhere.json')).rejects.toMatchObject({ code: 2 })
  await server.stop()
  folder.remove()
})

it('says what is wrong with the command', async () => {
  const usage = { code: 2, stderr: expect.stringContaining('npm run simulate -- <experiment>') }
  // At the same time: starting a program is what takes long on a busy machine.
  const [help, speed, ...refusals] = await Promise.all(
    [
      ['--help'],
      ['quick-survey', '--speed', 'fast'],
      [],
      ['quick-survey', '--particpants', '3'],
      ['one', 'two'],
    ].map((args) =>
      simulated(...args).catch((error: { code: number; stdout: string; stderr: string }) => error),
    ),
  )
  expect(help?.stdout).toContain('[--attribute age=17:1,30:3]')
  expect(speed).toMatchObject({ code: 2 })
  for (const refusal of refusals) {
    expect(refusal).toMatchObject(usage)
    expect(refusal.stderr).not.toContain('    at ')
  }
})
