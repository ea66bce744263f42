import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startServer } from '@atrium/testkit'
import { expect, it } from 'vitest'

const entry = fileURLToPath(new URL('./cluster.ts', import.meta.url))

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)

async function connectTo(host: string, port: string): Promise<void> {
  const socket = connect(Number(port), host)
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

/** The body of a successful response. */
async function read(address: string): Promise<string> {
  const answer = await fetch(address)
  expect(answer.status, address).toBe(200)
  return await answer.text()
}

it('the local cluster serves the platform and its pages at one address, and stops cleanly', async () => {
  // Started like any of our programs: it prints the same line when it listens.
  const cluster = await startServer({ entry, args: ['--pods', '2'] })
  expect(JSON.parse(await read(`${cluster.http}/health/cluster`))).toMatchObject({ healthyPods: 2 })
  expect(await read(`${cluster.http}/`)).toContain('<title>Atrium</title>')
  expect(await read(`${cluster.http}/console/system`)).toContain('<title>Atrium console</title>')
  expect(JSON.parse(await read(`${cluster.http}/api/identity`))).toEqual({ kind: 'development' })
  // [R36] The development issuer runs, so nothing may be reachable from the network.
  const addresses = [...`${cluster.stdout()}${cluster.stderr()}`.matchAll(/\w+:\/\/(?:\w+@)?([\w.]+):(\d+)/g)]
  expect(addresses.length).toBeGreaterThanOrEqual(7) // The router twice, its metrics, two pods, the web app, Redis, PostgreSQL.
  for (const [, host, port = ''] of addresses) {
    expect(host).toBe('127.0.0.1')
    for (const address of ownAddresses()) await expect(connectTo(address, port)).rejects.toThrow()
  }
  const processes = [...cluster.stderr().matchAll(/process (\d+)/g)].map(([, pid]) => Number(pid))
  expect(processes).toHaveLength(3) // Two pods and the web app; the router is the address itself.
  expect(await cluster.stop()).toBe(0)
  for (const pid of processes) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

it('reports an invalid number of pods', async () => {
  await expect(startServer({ entry, args: ['--pods', 'many'] })).rejects.toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('--pods must be a whole number'),
  })
})
