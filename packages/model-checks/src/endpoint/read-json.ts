import { type Answer, type Answered, ask, type Endpoint, type Question } from './endpoint.ts'
import { quote, wordsOfError } from './quote.ts'

/** What people call the two routes; the contract's messages begin with it. */
export type RouteName = 'GET /models' | 'chat/completions'

export type JsonAnswer =
  | { kind: 'json'; value: unknown; latencyMs: number }
  /** `message` says what was wrong and what to do. */
  | { kind: 'problem'; message: string; status?: number; timedOut?: true }

export async function askForJson(
  endpoint: Endpoint,
  question: Question,
  route: RouteName,
): Promise<JsonAnswer> {
  return readJson(await ask(endpoint, question), route, endpoint)
}

export function readJson(
  answer: Answer,
  route: RouteName,
  { baseUrl, apiKey }: Pick<Endpoint, 'baseUrl' | 'apiKey'>,
): JsonAnswer {
  switch (answer.kind) {
    case 'unreachable':
      return { kind: 'problem', message: `endpoint unreachable: ${answer.because}` }
    case 'timed-out':
      return {
        kind: 'problem',
        timedOut: true,
        message: `${route} gave no answer in time, which exceeds the platform's 300s maximum timeout. Use a smaller model or faster hardware.`,
      }
    case 'endless':
      return {
        kind: 'problem',
        status: answer.status,
        message: `${route} returned ${answer.status} with a body of more than 8 MiB that was not read to its end. ${checkTheUrl(baseUrl)}`,
      }
    case 'answered':
      return readAnswered(answer, route, baseUrl, apiKey)
  }
}

function readAnswered(answer: Answered, route: RouteName, baseUrl: string, apiKey: string): JsonAnswer {
  const { status, format, text, latencyMs } = answer
  const problem = (rest: string): JsonAnswer => ({
    kind: 'problem',
    status,
    message: `${route} returned ${status}${rest}`,
  })
  if (status >= 300 && status < 400) return problem(redirectProblem(answer, baseUrl, apiKey))
  if (status < 200 || status >= 300) {
    const words = wordsOfError(text, apiKey)
    return problem(`${words === '' ? '' : `: ${words}`}. ${adviceFor(status, route, baseUrl)}`)
  }
  if (format === 'html') return problem(` with a web page (HTML) instead of JSON. ${checkTheUrl(baseUrl)}`)
  if (format === 'stream')
    return problem(
      ' as a stream although none was asked for. The server has to answer in one piece unless the request says "stream": true.',
    )
  try {
    return { kind: 'json', value: JSON.parse(text), latencyMs }
  } catch {
    return problem(`, but its body is not JSON: ${quote(text, apiKey)}. ${checkTheUrl(baseUrl)}`)
  }
}

function redirectProblem({ location }: Answered, baseUrl: string, apiKey: string): string {
  const target = location === undefined ? '' : ` to ${quote(location, apiKey)}`
  return `, a redirect${target}, which is not followed so that the key stays with ${new URL(baseUrl).host}. Give the final address as the base URL.`
}

function adviceFor(status: number, route: RouteName, baseUrl: string): string {
  // A proxy may answer an address that leads nowhere with 502.
  if (status >= 500) return baseUrl.endsWith('/v1') ? serverFailed : `${serverFailed} ${checkTheUrl(baseUrl)}`
  if (status === 429) return 'Let the server take more requests at the same time, or queue them.'
  if (route === 'GET /models' || status === 404 || status === 405) return checkTheUrl(baseUrl)
  return 'The server has to accept chat-completions requests with "tools" and "tool_choice"; check the name of the model too.'
}

const serverFailed = 'The server itself failed: look into its log.'

const checkTheUrl = (baseUrl: string): string =>
  baseUrl.endsWith('/v1')
    ? 'Check the base URL: it has to be the address of an OpenAI-compatible API and include /v1.'
    : `Check that the base URL includes /v1: ${baseUrl}/v1`
