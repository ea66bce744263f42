import { modelServerPaths } from '@atrium/contract'
import { newApiKey } from '../keys/index.ts'
import { Misuse } from '../misuse.ts'
import { type StatusOptions, statusOf } from './status-of.ts'

/**
 * Refuses a local server that anyone could use once it has a public address. Asks without a key and with a wrong one: there
 * are servers that only look whether there is a key. What has no answer is not known to be protected.
 */
export async function expectProtected(
  port: number,
  { tool, ...outside }: StatusOptions & { tool: string },
): Promise<void> {
  const unprotected = (found: string) => unprotectedServer(port, tool, found)
  const base = `http://127.0.0.1:${port}/v1`
  for (const apiKey of [undefined, newApiKey()]) {
    const options = { ...outside, apiKey }
    const how = apiKey === undefined ? 'without a key' : 'with a wrong key'
    const models = await statusOf(`${base}${modelServerPaths.models}`, options)
    if (typeof models === 'string')
      throw new Misuse(
        `No answer from port ${port} of this machine (${models}). Start the server first (${tool} serve), or give its port: --port <n>`,
      )
    if (models !== 401) throw unprotected(`GET /v1/models ${how} was answered with ${models}, not 401`)
    const completions = await statusOf(`${base}${modelServerPaths.chatCompletions}`, {
      ...options,
      body: '{}',
    })
    if (typeof completions === 'string')
      throw unprotected(`POST /v1/chat/completions ${how} was not answered (${completions})`)
    // A server without this route gives nothing away; any other answer means that the request was looked at.
    if (![401, 403, 404, 405].includes(completions))
      throw unprotected(`POST /v1/chat/completions ${how} was answered with ${completions}, not 401`)
  }
}

const unprotectedServer = (port: number, tool: string, found: string): Misuse =>
  new Misuse(
    `The server on port ${port} is not protected: ${found}. A tunnel would let anyone use it. Start it with ${tool} serve, or turn on its API key.`,
  )
