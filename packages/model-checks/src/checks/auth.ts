import { randomBytes } from 'node:crypto'
import { modelServerPaths } from '@atrium/agent-protocol'
import type { ModelCheck } from '@atrium/contract'
import { ask, type Endpoint } from '../endpoint/endpoint.ts'
import { quote } from '../endpoint/quote.ts'
import { readJson } from '../endpoint/read-json.ts'
import { askRespond, keyRejected } from '../respond/ask-respond.ts'
import { respondRequest } from '../respond/respond-request.ts'

export interface AuthResult {
  check: ModelCheck
  /** Without a key that works, nothing more can be found out. */
  isKeyUsable: boolean
}

const routes = [
  { name: 'GET /models', path: modelServerPaths.models, isPost: false },
  { name: 'POST /chat/completions', path: modelServerPaths.chatCompletions, isPost: true },
] as const

const attempts = ['a WRONG key', 'a request WITHOUT a key'] as const

const advice =
  'Turn authentication on in the server; `atrium-agent serve` does that by itself, llama-server and vLLM with --api-key.'

/**
 * Completions need the right key; anything else is answered 401. A list of models that anyone can read is only worth a
 * warning: several engines publish it on purpose, and the contract speaks of completions.
 */
export async function checkAuth(
  endpoint: Endpoint,
  model: string | undefined,
  keyRejectedWith: number | undefined,
  onStep: () => void,
): Promise<AuthResult> {
  const warnings: string[] = []
  for (const attempt of attempts) {
    for (const route of routes) {
      const found = await tryToEnter(endpoint, model, route, attempt)
      onStep()
      if (found === undefined) continue
      if (route.isPost) return failed(found, keyRejectedWith === undefined)
      warnings.push(found)
    }
  }
  const rejected =
    keyRejectedWith === undefined ? await rejectionByCompletions(endpoint, model) : keyRejectedWith
  onStep()
  if (rejected !== undefined) return failed(keyRejected(rejected), false)
  return {
    check: {
      name: 'auth',
      ok: true,
      message: 'the key is accepted; a wrong key and no key are rejected',
      ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    },
    isKeyUsable: true,
  }
}

const failed = (message: string, isKeyUsable: boolean): AuthResult => ({
  check: { name: 'auth', ok: false, message },
  isKeyUsable,
})

/** What is wrong, or undefined if the door was closed. */
async function tryToEnter(
  endpoint: Endpoint,
  model: string | undefined,
  { name, path, isPost }: (typeof routes)[number],
  attempt: (typeof attempts)[number],
): Promise<string | undefined> {
  const answer = await ask(endpoint, {
    path,
    ...(attempt === 'a WRONG key' && { key: `atr_wrong_${randomBytes(16).toString('hex')}` }),
    ...(isPost && { body: respondRequest(model, 0) }),
  })
  if (answer.kind !== 'answered') {
    if (answer.kind === 'endless') return `${attempt} was accepted by ${name}. ${advice}`
    const problem = readJson(answer, isPost ? 'chat/completions' : 'GET /models', endpoint)
    return `${attempt} was not answered by ${name}: ${problem.kind === 'problem' ? problem.message : ''}`
  }
  const { status } = answer
  if (status === 401) return undefined
  if (status >= 200 && status < 300) return `${attempt} was accepted by ${name}. ${advice}`
  if (status === 403 && attempt === 'a request WITHOUT a key') return undefined
  const words = answer.text === '' ? '' : ` (${quote(answer.text, endpoint.apiKey)})`
  return `${attempt} was answered with ${status} by ${name}${words}; it has to be rejected with 401. ${advice}`
}

/** Also the first request that the model answers, so that loading it is not measured later. */
async function rejectionByCompletions(
  endpoint: Endpoint,
  model: string | undefined,
): Promise<number | undefined> {
  const result = await askRespond(endpoint, respondRequest(model, 0))
  const isRejected = result.kind === 'problem' && (result.status === 401 || result.status === 403)
  return isRejected ? result.status : undefined // Any other trouble is what the next check is about.
}
