import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../../processes/index.ts'
import { createCaller, readBounded } from '../http/call.ts'
import { parseJson } from '../http/json-facts.ts'
import { loopback } from './arguments.ts'

const pollMs = 100
const longestAnswerMs = 10_000
const maxBytes = 1_000_000
const who = 'llama-server'

export type Readiness = { kind: 'ready' } | { kind: 'ended'; because: string } | { kind: 'never' }

/** Polls until the model is loaded, the process has ended, or the time is up. */
export async function waitUntilReady(
  child: Child,
  server: LlamaServerAddress,
  withinMs: number,
  signal?: AbortSignal,
): Promise<Readiness> {
  const timeIsUp = AbortSignal.timeout(withinMs)
  const giveUp = signal === undefined ? timeIsUp : AbortSignal.any([timeIsUp, signal])
  const ended = child.ended.then((because): Readiness => ({ kind: 'ended', because }))
  while (!giveUp.aborted) {
    const answered = isReady(server, giveUp).catch(() => false)
    const result = await Promise.race([ended, answered])
    if (typeof result === 'object') return result
    if (result) return { kind: 'ready' }
    await Promise.race([ended, delay(pollMs, undefined, { signal: giveUp }).catch(() => undefined)])
  }
  return child.hasEnded ? ended : { kind: 'never' }
}

export interface LlamaServerAddress {
  port: number
  apiKey: string
}

/**
 * Healthy, and ours: another program may have taken the port a moment before. Only our child knows the key of this run,
 * so only it refuses another one and accepts ours.
 */
async function isReady(server: LlamaServerAddress, signal: AbortSignal): Promise<boolean> {
  const [health] = await ask('GET', '/health', server, signal)
  if (health !== 200) return false
  const [withoutKey] = await ask('POST', '/tokenize', { ...server, apiKey: 'another' }, signal)
  const [withKey] = await ask('POST', '/tokenize', server, signal)
  return withoutKey === 401 && withKey === 200
}

/** The status and the JSON of its answer. */
export async function ask(
  method: 'GET' | 'POST',
  path: string,
  { port, apiKey }: LlamaServerAddress,
  signal: AbortSignal,
): Promise<[status: number | undefined, value: unknown]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(longestAnswerMs)])
  const caller = createCaller({ baseUrl: `http://${loopback}:${port}`, apiKey, who })
  try {
    const body = method === 'POST' ? JSON.stringify({ content: '' }) : undefined
    const response = await caller.call(method, path, body, limited)
    return [response.statusCode, parseJson(await readBounded(response, maxBytes, who))]
  } finally {
    caller.close()
  }
}
