import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from '@atrium/testkit'
import { expect, it } from 'vitest'

const demo = fileURLToPath(new URL('./demo.ts', import.meta.url))
const run = promisify(execFile)

it('the demo shows a whole participant’s life on a fresh server, and says so when there is none', async () => {
  const server = await startServer()
  const { stdout } = await run(process.execPath, [demo, server.http])
  expect(stdout).toContain('$ curl -X POST')
  expect(stdout).toContain('"completionCode":"SURVEY-DONE"')
  expect(stdout).toContain('That was a whole participant’s life.')
  await server.stop()
  await expect(run(process.execPath, [demo, server.http])).rejects.toMatchObject({
    stderr: expect.stringContaining('npm start'),
  })
})
