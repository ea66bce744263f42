import { type StubModelServer, type StubModelServerOptions, startStubModelServer } from '@atrium/testkit'
import { onTestFinished } from 'vitest'
import { type CheckOptions, type CheckReport, checkModelServer } from '../check-model-server.ts'
import type { Clock } from '../clock.ts'

export async function startStub(options: StubModelServerOptions = {}): Promise<StubModelServer> {
  const stub = await startStubModelServer(options)
  onTestFinished(stub.stop)
  return stub
}

/** The four checks alone, unless a test wants the others too. */
export const check = (
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> => checkModelServer({ baseUrl, apiKey, further: false, ...options })

export const messageOf = ({ checks }: CheckReport): string => checks.at(-1)?.message ?? ''

export interface TestClock extends Clock {
  /** Lets time pass and runs what is due. */
  pass(ms: number): void
}

export function createTestClock(): TestClock {
  let now = 0
  const waiting = new Set<{ at: number; action: () => void }>()
  return {
    now: () => now,
    after(ms, action) {
      const entry = { at: now + ms, action }
      waiting.add(entry)
      return () => void waiting.delete(entry)
    },
    pass(ms) {
      now += ms
      for (const entry of [...waiting].filter(({ at }) => at <= now)) {
        waiting.delete(entry)
        entry.action()
      }
    },
  }
}
