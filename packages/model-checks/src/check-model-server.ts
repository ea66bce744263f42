import { type ModelCheck, type ModelCheckName, modelCheckNames } from '@atrium/contract'
import { checkAuth } from './checks/auth.ts'
import { checkConcurrency, samplesFor } from './checks/concurrency.ts'
import { checkReachable } from './checks/reachable.ts'
import { checkToolCalling, respondAttempts } from './checks/tool-calling.ts'
import { type Clock, systemClock } from './clock.ts'
import { parseBaseUrl } from './endpoint/base-url.ts'
import type { Endpoint } from './endpoint/endpoint.ts'
import { checkChoiceNone, checkNamedChoice } from './further/choices.ts'
import { checkNonAscii, checkToolResult } from './further/conversation.ts'
import { type FurtherCheck, type FurtherCheckName, furtherCheckNames } from './further/further-check.ts'
import { checkOverflow } from './further/overflow.ts'
import { checkStreaming } from './further/streaming.ts'

export interface CheckProgress {
  check: ModelCheckName | FurtherCheckName
  /** Requests that have been answered, of `total`. */
  done: number
  total: number
}

export interface CheckOptions {
  baseUrl: string
  apiKey: string
  /** Default: the first model that the server lists. */
  model?: string | undefined
  /** How many requests run at the same time in the check of concurrency. */
  parallel?: number
  /** The context that the server is meant to have: prompts that are longer must be refused. */
  contextTokens?: number
  /** False leaves out everything but the four checks of the contract. */
  further?: boolean
  fetch?: typeof globalThis.fetch
  clock?: Clock
  onProgress?: (progress: CheckProgress) => void
  /** Called with each check of the contract as soon as it is made: all there is to show if `signal` aborts. */
  onChecked?: (check: ModelCheck) => void
  signal?: AbortSignal
}

export interface CheckReport {
  /** Every check was made and passed. Warnings do not count. */
  ok: boolean
  model: string | undefined
  /** Those that were made, in the order of the contract. */
  checks: ModelCheck[]
  /** Those that could not be made, because an earlier one failed. */
  notRun: ModelCheckName[]
  further: FurtherCheck[]
}

export const checkDefaults = { parallel: 8, contextTokens: 32_768 } as const

const furtherChecks = {
  named_choice: checkNamedChoice,
  choice_none: checkChoiceNone,
  streaming: checkStreaming,
  tool_result: checkToolResult,
  non_ascii: checkNonAscii,
  overflow: checkOverflow,
} satisfies Record<
  FurtherCheckName,
  (endpoint: Endpoint, model: string | undefined, contextTokens: number) => Promise<FurtherCheck>
>

/**
 * Holds a model server to the contract: reachable, auth, tool_calling, concurrency, then what goes beyond it. Sends
 * about sixty requests, each bounded in time and size. Rejects only when `signal` aborts.
 */
export async function checkModelServer(options: CheckOptions): Promise<CheckReport> {
  const { apiKey, onProgress, onChecked, further = true } = options
  const { parallel = checkDefaults.parallel, contextTokens = checkDefaults.contextTokens } = options
  const checks: ModelCheck[] = []
  const report = (model: string | undefined, beyond: FurtherCheck[] = []): CheckReport => ({
    ok: checks.length === modelCheckNames.length && checks.every(({ ok }) => ok),
    model,
    checks,
    notRun: modelCheckNames.filter((name) => !checks.some((check) => check.name === name)),
    further: beyond,
  })
  const made = (check: ModelCheck): void => {
    checks.push(check)
    onChecked?.(check)
  }
  const begin = (check: CheckProgress['check'], total: number): (() => void) => {
    let done = 0
    onProgress?.({ check, done, total })
    return () => onProgress?.({ check, done: ++done, total })
  }

  const base = parseBaseUrl(options.baseUrl)
  const refusal = base.kind === 'invalid' ? base.because : refusalOfKey(apiKey)
  if (base.kind === 'invalid' || refusal !== undefined) {
    made({ name: 'reachable', ok: false, message: refusal ?? '' })
    return report(options.model)
  }
  const endpoint: Endpoint = {
    baseUrl: base.url,
    apiKey,
    fetch: options.fetch ?? globalThis.fetch,
    clock: options.clock ?? systemClock,
    signal: options.signal ?? new AbortController().signal,
  }

  begin('reachable', 1)
  const reached = await checkReachable(endpoint, options.model, base.endsInV1)
  const { model } = reached
  made(reached.check)
  if (!reached.check.ok) return report(model)

  const auth = await checkAuth(endpoint, model, reached.keyRejectedWith, begin('auth', 5))
  made(auth.check)
  if (!auth.isKeyUsable) return report(model)

  const toolCalling = await checkToolCalling(endpoint, model, begin('tool_calling', respondAttempts))
  made(toolCalling.check)
  if (toolCalling.aloneMs === undefined) return report(model)

  const onStep = begin('concurrency', samplesFor(parallel))
  made(await checkConcurrency(endpoint, model, parallel, toolCalling.aloneMs, onStep))
  return report(model, further ? await goBeyond(endpoint, model, contextTokens, begin) : [])
}

async function goBeyond(
  endpoint: Endpoint,
  model: string | undefined,
  contextTokens: number,
  begin: (check: FurtherCheckName, total: number) => () => void,
): Promise<FurtherCheck[]> {
  const results: FurtherCheck[] = []
  for (const name of furtherCheckNames) {
    const onStep = begin(name, 1)
    results.push(await furtherChecks[name](endpoint, model, contextTokens))
    onStep()
  }
  return results
}

/** A header holds visible ASCII only; anything else would make `fetch` fail with a riddle. */
function refusalOfKey(apiKey: string): string | undefined {
  if (apiKey === '') return 'The API key is empty. Give the key that the model server was started with.'
  return /^[\x21-\x7E]{1,4000}$/.test(apiKey)
    ? undefined
    : 'The API key contains spaces or characters that a header cannot hold. Copy it again.'
}
