import { ModelList, modelServerPaths } from '@atrium/agent-protocol'
import type { ModelCheck } from '@atrium/contract'
import { Check } from 'typebox/value'
import { ask, type Endpoint } from '../endpoint/endpoint.ts'
import { quote } from '../endpoint/quote.ts'
import { readJson } from '../endpoint/read-json.ts'

export interface Reached {
  check: ModelCheck
  /** The model to ask for; undefined when the server lists none and none was given. */
  model: string | undefined
  /** `GET /models` was refused with this status; the server is there, but not for this key. */
  keyRejectedWith?: number
}

/** The model that was named, or else the first one that the server lists. */
export async function checkReachable(
  endpoint: Endpoint,
  wanted: string | undefined,
  endsInV1: boolean,
): Promise<Reached> {
  const { baseUrl, apiKey } = endpoint
  const failed = (message: string): Reached => ({
    check: { name: 'reachable', ok: false, message },
    model: wanted,
  })
  const answer = await ask(endpoint, { path: modelServerPaths.models, key: apiKey })
  if (answer.kind === 'answered' && (answer.status === 401 || answer.status === 403))
    return {
      check: { name: 'reachable', ok: true, message: `${baseUrl} answers` },
      model: wanted,
      keyRejectedWith: answer.status,
    }
  const list = readJson(answer, 'GET /models', endpoint)
  if (list.kind === 'problem') return failed(list.message)
  if (!Check(ModelList, list.value))
    return failed(
      `GET /models returned 200, but not a list of models ({"data": [{"id": …}]}). Check that the base URL includes /v1.`,
    )
  if (!endsInV1)
    return failed(`the base URL does not end in /v1, which the platform requires. Use ${baseUrl}/v1`)
  const ids = list.value.data.map(({ id }) => id)
  const warning = warningAbout(ids, wanted, apiKey)
  return {
    check: {
      name: 'reachable',
      ok: true,
      message: `${baseUrl} answers and lists ${ids.length} ${ids.length === 1 ? 'model' : 'models'}`,
      ...(warning !== undefined && { warning }),
      figures: { models: ids.length },
    },
    model: wanted ?? ids[0],
  }
}

function warningAbout(ids: string[], wanted: string | undefined, apiKey: string): string | undefined {
  const listed = ids
    .slice(0, 5)
    .map((id) => quote(id, apiKey))
    .join(', ')
  if (wanted !== undefined)
    return ids.includes(wanted)
      ? undefined
      : `the server does not list the model ${quote(wanted, apiKey)}. ${ids.length === 0 ? 'It lists none.' : `It lists ${listed}.`}`
  if (ids.length === 0)
    return 'the server lists no model. The platform has to know the name of one: find out which names the server accepts.'
  return ids.length > 1
    ? `the first of several models was checked: ${listed}. Name the one that you want: with --model here, and as the model of the credential in Atrium.`
    : undefined
}
