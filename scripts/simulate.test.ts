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
  await server.stop()
  folder.remove()
})

it('reports invalid arguments', async () => {
  await expect(simulated()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('npm run') })
  await expect(simulated('quick-survey', '--speed', 'fast')).rejects.toMatchObject({ code: 2 })
})
