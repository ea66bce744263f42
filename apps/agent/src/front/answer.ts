import type { IncomingMessage, ServerResponse } from 'node:http'
import { modelServerPaths } from '@atrium/agent-protocol'
import { type Engine, EngineFailed } from '../engines/engine.ts'
import { readChatRequest } from './chat-request.ts'
import { completeChecked, refuseOverflow } from './complete.ts'
import type { Gate } from './gate.ts'
import { readBody } from './read-body.ts'
import { Refusal, refusalFor, sendJson } from './refusal.ts'
import { settlesWithin } from './requests.ts'
import { streamChecked } from './stream.ts'

interface Call {
  request: IncomingMessage
  response: ServerResponse
  signal: AbortSignal
  /** What follows the route in the path, decoded. */
  rest: string
}

/** Answers, or throws why not; returns what went wrong after the answer had begun. */
type Handler = (deps: RouteDeps, call: Call) => Promise<Refusal | undefined>

export interface RouteDeps {
  engine: Engine
  gate: Gate
  maxBodyBytes: number
  startedAtSeconds: number
}

export interface Route {
  /** Also what the log names, because a path of a stranger may hold anything. */
  name: string
  method: 'GET' | 'POST'
  handle: Handler
}

const prefix = '/v1'

const routes: (Route & { path: RegExp })[] = [
  {
    name: prefix + modelServerPaths.models,
    path: /^\/v1\/models$/,
    method: 'GET',
    handle: async ({ engine, startedAtSeconds }, { response }) => {
      sendJson(response, 200, { object: 'list', data: [modelOf(engine, startedAtSeconds)] })
      return undefined
    },
  },
  {
    name: `${prefix}${modelServerPaths.models}/…`,
    path: /^\/v1\/models\/(.+)$/,
    method: 'GET',
    handle: async ({ engine, startedAtSeconds }, { response, rest }) => {
      if (rest !== engine.model)
        throw new Refusal('model_not_found', `This server has only the model “${engine.model}”.`)
      sendJson(response, 200, modelOf(engine, startedAtSeconds))
      return undefined
    },
  },
  {
    name: prefix + modelServerPaths.chatCompletions,
    path: /^\/v1\/chat\/completions$/,
    method: 'POST',
    handle: answerChat,
  },
]

const modelOf = (engine: Engine, created: number) => ({
  id: engine.model,
  object: 'model',
  created,
  owned_by: 'atrium-agent',
})

export function findRoute({ method, url = '' }: IncomingMessage): { route: Route; rest: string } {
  const path = url.split('?')[0] ?? ''
  for (const route of routes) {
    const found = route.path.exec(path)
    if (found === null) continue
    if (route.method === method) return { route, rest: decoded(found[1] ?? '') }
    throw new Refusal('method_not_allowed', `Use ${route.method} for ${route.name}.`, { allow: route.method })
  }
  throw new Refusal(
    'unknown_url',
    `There is only ${prefix}${modelServerPaths.models} and ${prefix}${modelServerPaths.chatCompletions} here.`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function answerChat(
  { engine, gate, maxBodyBytes }: RouteDeps,
  call: Call,
): Promise<Refusal | undefined> {
  const { response, signal } = call
  const arrived = gate.receive()
  const body = await readBody(call.request, maxBodyBytes).finally(arrived)
  const request = readChatRequest(body, engine.model)
  const leave = await gate.enter(signal)
  try {
    await refuseOverflow(engine, request, signal)
    if (request.stream)
      return await streamChecked(engine, request, response, signal, (error) => explain(engine, error, signal))
    sendJson(response, 200, await completeChecked(engine, request, signal))
    return undefined
  } finally {
    leave()
  }
}

/** When a process dies, its connections break a moment before we hear that it has ended. */
const lostNoticeMs = 500

/** Why a request failed: what ended it, or that the engine is gone, or what the engine said. */
export async function explain(engine: Engine, error: unknown, signal: AbortSignal): Promise<Refusal> {
  if (signal.aborted) return refusalFor(signal.reason)
  const mayBeLost = error instanceof EngineFailed && error.status === 503
  if (mayBeLost && (await settlesWithin(engine.lost, lostNoticeMs)))
    return new Refusal('engine_unavailable', await engine.lost)
  return refusalFor(error)
}
