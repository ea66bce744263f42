import { oneLine } from '../../one-line.ts'
import { EngineFailed, RequestRefused } from '../engine.ts'
import { parseJson, recordOr } from './json-facts.ts'

/** Servers name an overflow in many ways; these are OpenAI, llama.cpp, vLLM, TGI and the common gateways. */
const overflowNames = new Set(['context_length_exceeded', 'exceed_context_size_error'])
const overflowWords =
  /context (?:length|size|window)|maximum context|prompt is too long|too many tokens|inputs? tokens? .*must be/i

interface Answer {
  status: number
  body: string
  retryAfter: string | undefined
}

/** The error for an answer that is not a success. `who` begins the sentence: “llama-server”, “The upstream server”. */
export function refusalOf(who: string, { status, body, retryAfter }: Answer): Error {
  const { message, names } = readError(body)
  const said = message === '' ? '' : `: ${message}`
  const isClientError = status >= 400 && status < 500
  if (isClientError && (names.some((name) => overflowNames.has(name)) || overflowWords.test(message)))
    return new RequestRefused('context_length_exceeded', message || 'The request does not fit the context.')
  if (status === 400 || status === 413 || status === 422)
    return new RequestRefused('invalid_request', `${who} refused the request${said}`)
  if (status === 401 || status === 403)
    return new EngineFailed(502, `${who} rejected the API key it was given (${status}).`)
  if (status === 429)
    return new EngineFailed(429, `${who} has too many requests${said}`, secondsOf(retryAfter))
  if (status === 503) return new EngineFailed(503, `${who} is not available${said}`, secondsOf(retryAfter))
  return new EngineFailed(502, `${who} answered with ${status}${said}`)
}

/** Errors come as `{error: {message, type, code}}`, as `{error: "…"}`, as `{message}`, or as something else entirely. */
function readError(body: string): { message: string; names: string[] } {
  const whole = recordOr(parseJson(body))
  const error = recordOr(whole.error)
  const message = [error.message, whole.error, whole.message, whole.detail].find(
    (text) => typeof text === 'string',
  )
  const names = [error.code, error.type, whole.code, whole.type].filter((name) => typeof name === 'string')
  return { message: oneLine(typeof message === 'string' ? message : ''), names }
}

function secondsOf(retryAfter: string | undefined): number | undefined {
  const seconds = Number(retryAfter)
  return retryAfter !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? Math.min(Math.ceil(seconds), 3_600)
    : undefined
}
