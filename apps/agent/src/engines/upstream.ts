import { modelServerPaths } from '@atrium/agent-protocol'
import { Misuse } from '../misuse.ts'
import { oneLine } from '../one-line.ts'
import { type Engine, EngineFailed, type EngineOptions, RequestRefused } from './engine.ts'
import { connectChatApi } from './http/chat-api.ts'
import { listOr, recordOr } from './http/json-facts.ts'

export interface UpstreamChoice {
  kind: 'upstream'
  baseUrl: string
  apiKey?: string | undefined
  /** Default: the one that it offers, if it offers only one. */
  model?: string | undefined
}

const who = 'The upstream server'
const longestProbeMs = 30_000

/** Any server that speaks OpenAI's chat completions, on this machine or elsewhere. It refuses what is too long itself. */
export async function openUpstream(choice: UpstreamChoice, options: EngineOptions): Promise<Engine> {
  const { apiKey } = choice
  const baseUrl = readBaseUrl(choice.baseUrl)
  const offered = await listModels({ baseUrl, apiKey }, options.signal)
  const model = choice.model ?? onlyModel(baseUrl, offered)
  if (offered.length > 0 && !offered.includes(model))
    throw new Misuse(
      `${baseUrl} does not list the model “${oneLine(model)}”. It lists: ${shown(offered)}. Name one of these with --model.`,
    )
  const api = connectChatApi({ baseUrl, apiKey, model, who })
  return {
    model,
    contextTokens: options.contextTokens,
    parallel: options.parallel,
    countTokens: async () => undefined,
    complete: api.complete,
    stream: api.stream,
    // A server that is away may come back: each request says so, and the tool goes on.
    lost: new Promise(() => undefined),
    stop: async () => api.close(),
  }
}

function readBaseUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Misuse(`“${given}” is not an address. Give one such as http://127.0.0.1:8000/v1.`)
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    throw new Misuse('The address of the upstream server must have no password, query or fragment.')
  return url.href.replace(/\/+$/, '')
}

/** It is printed, and entered in the console by hand. */
const isPrintable = (name: string): boolean => name !== '' && oneLine(name) === name

const shown = (names: string[]): string =>
  names.slice(0, 10).map(oneLine).join(', ') + (names.length > 10 ? ' and others' : '')

function onlyModel(baseUrl: string, offered: string[]): string {
  const [first, ...others] = offered
  const howToName = `--upstream ${baseUrl} --model <name>`
  if (first === undefined)
    throw new Misuse(`${baseUrl} lists no model. Load one there, or name it: ${howToName}`)
  if (others.length === 0) return first
  throw new Misuse(`${baseUrl} offers several models (${shown(offered)}). Name one: ${howToName}`)
}

/** The names it lists. Servers without such a list are fine; servers that are not there or want another key are not. */
async function listModels(
  { baseUrl, apiKey }: Omit<UpstreamChoice, 'kind'>,
  stop: AbortSignal | undefined,
): Promise<string[]> {
  const api = connectChatApi({ baseUrl, apiKey, model: '', who })
  const limit = AbortSignal.timeout(longestProbeMs)
  try {
    const signal = stop === undefined ? limit : AbortSignal.any([limit, stop])
    const list = recordOr(await api.getJson(modelServerPaths.models, signal))
    return listOr(list.data)
      .map((entry) => recordOr(entry).id)
      .filter((id) => typeof id === 'string')
      .filter(isPrintable)
  } catch (error) {
    stop?.throwIfAborted()
    if (error instanceof RequestRefused) return []
    if (!(error instanceof EngineFailed))
      throw new Misuse(`There is no answer from ${baseUrl} within ${longestProbeMs / 1000} s.`)
    if (error.status !== 502)
      throw new Misuse(`${error.message} Start it, or give its address, which usually ends in /v1.`)
    if (error.message.includes('API key')) throw new Misuse(`${error.message} Set ATRIUM_UPSTREAM_KEY to it.`)
    if (error.message.includes('not JSON'))
      throw new Misuse(`${error.message} Check the address: it usually ends in /v1.`)
    return []
  } finally {
    api.close()
  }
}
