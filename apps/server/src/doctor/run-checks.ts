import { setTimeout as delay } from 'node:timers/promises'
import { type Finding, problem } from './finding.ts'
import { codeOf } from './gather/error-code.ts'

export interface Check {
  name: string
  run(signal: AbortSignal): Promise<Finding[]>
}

/** Longer than any single wait within a check, so that the check itself can say what is silent. */
const limitMs = 15_000

/** Runs all checks at the same time. One that fails or hangs is a finding itself, and hides nothing. */
export async function runChecks(checks: Check[], givenMs = limitMs): Promise<Finding[]> {
  const findings = await Promise.all(checks.map((check) => runCheck(check, givenMs)))
  return findings.flat()
}

async function runCheck({ name, run }: Check, givenMs: number): Promise<Finding[]> {
  const done = new AbortController()
  const tooLate = delay(givenMs, undefined, { signal: done.signal }).then(() => [
    problem(name, `No answer within ${givenMs / 1000} s.`, 'Check that it runs, and the network to it.'),
  ])
  const checked = run(AbortSignal.timeout(givenMs)).catch((error: unknown) => [
    problem(name, `The check failed (${codeOf(error)}).`, 'Run it again; if it fails again, report a bug.'),
  ])
  try {
    return await Promise.race([checked, tooLate])
  } finally {
    done.abort()
    tooLate.catch(() => undefined) // Cancelled.
  }
}
