import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createTemporaryFolder, startStubModelServer, waitUntil } from '@atrium/testkit'
import { onTestFinished } from 'vitest'
import { runTunnel, type TunnelOutside } from '../src/commands/tunnel.ts'
import { type StubBehaviour, stubAddress, writeStubCloudflared } from './stub-cloudflared.ts'
import { createTestIo } from './test-io.ts'

/** Hours pass in no time: a short pause is over at once, and longer limits are reached by passing time. */
function createHastyClock() {
  let now = 0
  const waiting = new Set<{ at: number; action: () => void }>()
  const pass = (ms: number) => {
    now += ms
    for (const entry of [...waiting].filter(({ at }) => at <= now)) {
      waiting.delete(entry)
      entry.action()
    }
  }
  return {
    now: () => now,
    pass,
    /** True once something waits that long. */
    isWaitingFor: (ms: number) => [...waiting].some(({ at }) => at - now >= ms),
    after(ms: number, action: () => void) {
      const entry = { at: now + ms, action }
      waiting.add(entry)
      if (ms <= 1_000) setImmediate(() => pass(ms))
      return () => void waiting.delete(entry)
    },
  }
}

/** A local model server, a stub of cloudflared, and an internet that leads from its address to the server. */
export async function setUpTunnel(behaviour: StubBehaviour, publicStatuses: number[] = []) {
  const folder = createTemporaryFolder('tunnel')
  const server = await startStubModelServer()
  onTestFinished(async () => {
    await server.stop()
    folder.remove()
  })
  const binary = writeStubCloudflared(folder.path, behaviour)
  const clock = createHastyClock()
  let asked = 0
  const fetchPublic = ((address: string, init?: RequestInit) => {
    if (!address.startsWith(stubAddress)) return fetch(address, init)
    const status = publicStatuses[asked++]
    if (status !== undefined) return Promise.resolve(new Response('', { status }))
    return fetch(address.replace(stubAddress, `http://127.0.0.1:${server.port}`), init)
  }) as typeof fetch
  const test = createTestIo({ env: { PATH: process.env.PATH, TUNNEL_TOKEN: 't', ATRIUM_AGENT_API_KEY: 'k' } })
  onTestFinished(test.stop)
  const outside: TunnelOutside = { fetch: fetchPublic, clock }
  const notesPath = `${binary}.json`
  return {
    ...test,
    server,
    clock,
    binary,
    outside,
    asked: () => asked,
    /** What the stub wrote down when it was started. */
    async notes(): Promise<{ args: string[]; env: Record<string, string>; pid: number }> {
      await waitUntil(() => existsSync(notesPath) || 'cloudflared was not started')
      let notes = { args: [''], env: {}, pid: 0 }
      await waitUntil(() => {
        notes = JSON.parse(readFileSync(notesPath, 'utf8'))
        return true
      })
      return notes
    },
    letItGoOn: () => writeFileSync(`${binary}.go`, ''),
    run: (...flags: string[]) =>
      runTunnel(['--port', String(server.port), '--cloudflared', binary, ...flags], test.io, outside),
  }
}

export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
