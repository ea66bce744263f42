import { modelServerPaths } from '@atrium/agent-protocol'
import type { Clock } from '@atrium/model-checks'
import { newApiKey } from '../keys/index.ts'
import { Misuse } from '../misuse.ts'
import { type StatusOptions, statusOf } from './status-of.ts'

/** What somebody without the key would find on a port. */
type Exposure = { kind: 'protected' } | { kind: 'silent'; because: string } | { kind: 'open'; found: string }

const models = `/v1${modelServerPaths.models}`
const completions = `/v1${modelServerPaths.chatCompletions}`
/**
 * Other doors to the same model: vLLM’s key covers only `/v1`, and `/invocations` answers chats as well; llama-server, Ollama, TGI and
 * SGLang have addresses of their own.
 */
const otherDoors = [
  ...['/v1/completions', '/v1/responses', '/v1/embeddings', '/invocations', '/completion', '/infill'],
  ...['/generate', '/api/chat', '/api/generate'],
]
/** A server without such a route gives nothing away; any other answer means that the request was looked at. */
const givesNothingAway = [401, 403, 404, 405]

/**
 * Asks without a key and with a wrong one: there are servers that only look whether there is a key. What has no answer is not known to
 * be protected.
 */
async function exposureOf(port: number, outside: StatusOptions): Promise<Exposure> {
  const base = `http://127.0.0.1:${port}`
  for (const apiKey of [undefined, newApiKey()]) {
    const options = { ...outside, apiKey }
    const how = apiKey === undefined ? 'without a key' : 'with a wrong key'
    const listed = await statusOf(base + models, options)
    if (typeof listed === 'string') return { kind: 'silent', because: listed }
    if (listed !== 401)
      return { kind: 'open', found: `GET ${models} ${how} was answered with ${listed}, not 401` }
    for (const door of [completions, ...otherDoors]) {
      const asked = await statusOf(base + door, { ...options, body: '{}' })
      if (typeof asked === 'string')
        return { kind: 'open', found: `POST ${door} ${how} was not answered (${asked})` }
      if (!givesNothingAway.includes(asked))
        return { kind: 'open', found: `POST ${door} ${how} was answered with ${asked}, not 401` }
    }
  }
  return { kind: 'protected' }
}

interface ProtectionOptions extends StatusOptions {
  tool: string
}

/** Refuses a local server that anyone could use once it has a public address. */
export async function expectProtected(port: number, { tool, ...outside }: ProtectionOptions): Promise<void> {
  const exposure = await exposureOf(port, outside)
  if (exposure.kind === 'silent')
    throw new Misuse(
      `No answer from port ${port} of this machine (${exposure.because}). Start the server first (${tool} serve), or give its port: --port <n>`,
    )
  if (exposure.kind === 'open') throw new Misuse(openServer(port, tool, exposure.found))
}

const openServer = (port: number, tool: string, found: string): string =>
  `The server on port ${port} is not protected: ${found}. A tunnel would let anyone use it. Start it with ${tool} serve, or turn on its API key.`

/** Leaves no timer behind that would keep the program running. */
const passed = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', end)
      resolve()
    })
    const end = () => {
      cancel()
      resolve()
    }
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })

/** Rare enough not to be noticed, often enough that nobody finds the address before. */
const watchMs = 60_000

/**
 * Settles once the server is not protected any more, with a sentence: it was started again without a key, or another program has taken
 * its port. A server that does not answer gives nothing away.
 */
export async function untilUnprotected(
  port: number,
  { tool, ...outside }: ProtectionOptions,
): Promise<string> {
  const { clock, signal } = outside
  while (true) {
    await passed(clock, watchMs, signal)
    signal.throwIfAborted()
    const exposure = await exposureOf(port, outside)
    if (exposure.kind === 'open') return openServer(port, tool, exposure.found)
  }
}
