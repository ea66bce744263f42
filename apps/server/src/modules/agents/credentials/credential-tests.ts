import { randomUUID } from 'node:crypto'
import { type CredentialTest, limits, type ModelCheck, type ModelCheckName } from '@atrium/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { CredentialRecord } from '../credential.plan.ts'
import type { CredentialStore } from '../credentials.store.ts'

/** Where a model server is and how to be let in. */
export interface ModelServerAccess {
  baseUrl: string
  apiKey: string
  model: string
}

interface CheckWatcher {
  signal: AbortSignal
  onBegun(check: ModelCheckName): void
  onChecked(check: ModelCheck): void
}

/** Makes the checks of the contract. Rejects when the signal aborts. */
export type CheckServer = (server: ModelServerAccess, watcher: CheckWatcher) => Promise<CredentialTest>

export interface CredentialTestDeps {
  store: CredentialStore
  checkServer: CheckServer
  clock: Clock
  onBackgroundError(error: unknown): void
  /** How long a test may take; limits.credentialTestMs unless a test says otherwise. */
  testMs?: number
}

export interface RunningTest {
  /** Never rejects: a test that is stopped says so in its result. */
  result: Promise<CredentialTest>
  /** Nobody waits for the result any more. */
  abandon(): void
}

/** An instance that dies leaves its tests behind; after this time others may begin. */
const graceMs = 30_000

/** The *test* action: one at a time for each credential, on whichever instance, each within a time limit. */
export function createCredentialTests(deps: CredentialTestDeps) {
  const { store, checkServer, clock, onBackgroundError, testMs = limits.credentialTestMs } = deps
  const running = new Set<AbortController>()

  async function run(
    { credentialId, changedAt, baseUrl, model }: CredentialRecord,
    { testId, apiKey, actor, stop }: { testId: string; apiKey: string; actor: string; stop: AbortController },
  ): Promise<CredentialTest> {
    const limit = setTimeout(() => stop.abort('it took too long'), testMs)
    running.add(stop)
    const isWanted = () => stop.signal.reason !== abandoned
    try {
      const result = await check({ baseUrl, apiKey, model }, stop.signal)
      const kept = isWanted() ? result : null
      const ended = { credentialId, testId, changedAt, actor, now: clock.now(), result: kept }
      // The result is there, even if it cannot be kept; the claim ends by itself.
      await store.endTest(ended).catch(onBackgroundError)
      return result
    } finally {
      clearTimeout(limit)
      running.delete(stop)
    }
  }

  async function check(server: ModelServerAccess, signal: AbortSignal): Promise<CredentialTest> {
    const made: ModelCheck[] = []
    let current: ModelCheckName = 'reachable'
    try {
      return await checkServer(server, {
        signal,
        onBegun: (name) => {
          current = name
        },
        onChecked: (check) => void made.push(check),
      })
    } catch (error) {
      if (!signal.aborted) onBackgroundError(error)
      const message = signal.aborted
        ? `the test was ended during this check, because ${signal.reason}. The agent tool’s verify has no time limit.`
        : 'the test could not be finished. Try again.'
      return { ok: false, checks: [...made, { name: current, ok: false, message }] }
    }
  }

  return {
    /** Refuses a second test of the same credential. */
    async begin(credential: CredentialRecord, apiKey: string, actor: string): Promise<RunningTest> {
      const now = clock.now()
      const testId = randomUUID()
      const { credentialId } = credential
      const until = now + testMs + graceMs
      if (!(await store.claimTest({ credentialId, testId, now, until })))
        throw new AppError('CREDENTIAL_TEST_RUNNING')
      const stop = new AbortController()
      return {
        result: run(credential, { testId, apiKey, actor, stop }),
        abandon: () => stop.abort(abandoned),
      }
    },
    stop(): void {
      for (const test of running) test.abort('the server is being stopped')
    },
  }
}

const abandoned = 'nobody waits for its result any more'
