import { modelServerPaths } from '@atrium/agent-protocol'
import { type Schedule, systemSchedule } from '../../../kernel/clock.ts'
import { type BoundedJson, readBoundedJson } from './bounded-json.ts'
import {
  chatRequestOf,
  type ModelOutcome,
  type ModelProvider,
  type ModelRequest,
  type TokenLimitName,
} from './provider.ts'
import { isRecord, readCompletion } from './read-completion.ts'
import { createRedact, loggedBody, quote, type Redact } from './server-words.ts'

export interface OpenAiProviderDeps {
  /** Ends in `/v1`. */
  baseUrl: string
  apiKey: string
  /** The guarded one, which bounds the size of replies. */
  fetch: typeof globalThis.fetch
  schedule?: Schedule
}

type Failed = Extract<ModelOutcome, { kind: 'failed' }>

/** R44: any server that speaks OpenAI's chat completions. */
export function createOpenAiProvider(deps: OpenAiProviderDeps): ModelProvider {
  const { baseUrl, apiKey, fetch, schedule = systemSchedule } = deps
  const url = baseUrl.replace(/\/+$/, '') + modelServerPaths.chatCompletions
  const redact = createRedact(apiKey)
  let tokenLimitName: TokenLimitName = 'max_tokens'

  const post = (request: ModelRequest, signal: AbortSignal): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(chatRequestOf(request, tokenLimitName)),
      redirect: 'manual',
      signal,
    })

  async function exchange(request: ModelRequest, signal: AbortSignal): Promise<ModelOutcome> {
    const response = await post(request, signal)
    if (response.ok) return readReply(response, request, redact)
    const text = await response.text()
    if (
      response.status === 400 &&
      tokenLimitName === 'max_tokens' &&
      text.includes('max_completion_tokens')
    ) {
      tokenLimitName = 'max_completion_tokens'
      return exchange(request, signal)
    }
    return refusedWith(response.status, text, redact)
  }

  return {
    async ask(request, { timeoutMs, signal }) {
      signal.throwIfAborted()
      const limit = new AbortController()
      const cancelLimit = schedule(timeoutMs, () => limit.abort())
      try {
        return await exchange(request, AbortSignal.any([signal, limit.signal]))
      } catch (error) {
        signal.throwIfAborted()
        return limit.signal.aborted ? timedOut : failureOf(error)
      } finally {
        cancelLimit()
      }
    },
  }
}

async function readReply(response: Response, { tool }: ModelRequest, redact: Redact): Promise<ModelOutcome> {
  const type = response.headers.get('content-type') ?? ''
  if (/^text\/event-stream/i.test(type)) {
    await response.body?.cancel() // It may never end.
    return failed('not_json', 'The reply is a stream, which was not asked for, instead of a JSON object.')
  }
  return readCompletion(await response.text(), tool.function.name, redact)
}

function refusedWith(status: number, text: string, redact: Redact): Failed {
  const body = readBoundedJson(text)
  const isRedirect = status >= 300 && status < 400
  const words = isRedirect ? ', a redirect, which is not followed' : wordsOf(text, body, redact)
  return {
    ...failed('status', `The model server returned ${status}${words}.`),
    status,
    reply: loggedBody(text, body, redact),
  }
}

/** The message of an OpenAI-style error, or the body itself unless it is a web page. */
function wordsOf(text: string, body: BoundedJson, redact: Redact): string {
  const error = body.kind === 'json' && isRecord(body.value) ? body.value.error : undefined
  const message = isRecord(error) ? error.message : error
  if (typeof message === 'string') return `: ${quote(message, redact)}`
  return /^\s*(<|$)/.test(text) ? '' : `: ${quote(text, redact)}`
}

const failed = (reason: Failed['reason'], message: string): Failed => ({ kind: 'failed', reason, message })

const timedOut = failed('timeout', 'The model server did not reply in time.')

/** Only its code is used: a message can hold the header with the key. */
function failureOf(error: unknown): Failed {
  const code = codeOf(error)
  switch (code) {
    case 'REPLY_TIMEOUT':
      return timedOut
    case 'REPLY_TOO_LARGE':
      return failed('too_large', 'The reply is too large.')
    case 'REPLY_ENCODED':
      return failed('not_json', 'The reply is compressed, although the request did not allow that.')
    case 'AGENT_ADDRESS_REFUSED':
      return failed('address', 'The model server does not answer over https at a public address.')
  }
  return failed('unreachable', `The model server cannot be reached${code === '' ? '' : ` (${code})`}.`)
}

/** `fetch` may wrap the error of the connection. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(error.code))
    return error.code
  return codeOf(error.cause)
}
