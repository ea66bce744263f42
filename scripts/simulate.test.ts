import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createApi, createResearcher, createTemporaryFolder, startServer } from '@atrium/testkit'
import { expect, it } from 'vitest'

const script = fileURLToPath(new URL('./simulate.ts', import.meta.url))
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

it('says what is wrong with the command', async () => {
  const usage = { code: 2, stderr: expect.stringContaining('npm run simulate -- <experiment>') }
  for (const args of [[], ['quick-survey', '--particpants', '3'], ['one', 'two']])
    await expect(simulated(...args)).rejects.toMatchObject(usage)
  await expect(simulated('quick-survey', '--dropp')).rejects.toMatchObject({
    stderr: expect.not.stringContaining('    at '),
  })
  expect((await simulated('--help')).stdout).toContain('[--attribute age=17:1,30:3]')
  await expect(simulated('quick-survey', '--speed', 'fast')).rejects.toMatchObject({ code: 2 })
})
