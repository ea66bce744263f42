import { fileURLToPath } from 'node:url'
import { startServer } from '@atrium/testkit'
import { expect, it } from 'vitest'

const entry = fileURLToPath(new URL('./cluster.ts', import.meta.url))

/** The page’s title, or the JSON, at an address. */
async function read(address: string): Promise<string> {
  const answer = await fetch(address)
  expect(answer.status, address).toBe(200)
  return await answer.text()
}

it('the local cluster is one platform behind one address, pages included, and stops cleanly', async () => {
  // Started as any program of ours: it says where it listens, in the same line.
  const cluster = await startServer({ entry, args: ['--pods', '2'] })
  expect(JSON.parse(await read(`${cluster.http}/health/cluster`))).toMatchObject({ healthyPods: 2 })
  expect(await read(`${cluster.http}/`)).toContain('<title>Atrium</title>')
  expect(await read(`${cluster.http}/console/system`)).toContain('<title>Atrium console</title>')
  expect(JSON.parse(await read(`${cluster.http}/api/identity`))).toEqual({ kind: 'development' })
  const processes = [...cluster.stderr().matchAll(/process (\d+)/g)].map(([, pid]) => Number(pid))
  expect(processes).toHaveLength(3) // Two pods and the web app; the router is the address itself.
  expect(await cluster.stop()).toBe(0)
  for (const pid of processes) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
}, 90_000)

it('says what is wrong with a number of pods', async () => {
  await expect(startServer({ entry, args: ['--pods', 'many'] })).rejects.toMatchObject({
    ...{ exitCode: 1, stderr: expect.stringContaining('--pods must be a whole number') },
  })
})
