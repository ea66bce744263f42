import { join } from 'node:path'
import {
  developmentIdentityRoutes,
  operationsRoutes,
  participantRoutes,
  type RouteSpec,
} from '@atrium/contract'
import { createApi, createResearcher, startServer } from '@atrium/testkit'
import { Value } from 'typebox/value'
import type { Engine } from '../harness/engines.ts'
import { collectGarbage, inspecting } from '../harness/garbage.ts'
import { type Load, type LoadOrder, refuseFailures } from '../load/http-load.ts'
import type { Target } from './target.ts'

export interface AtriumOptions {
  /** Where to leave V8's profiles of the server when it ends. */
  profileFolder?: string | undefined
  /** Whether its heap can be cleaned before it is measured. */
  isInspected?: boolean
  /** The checkout whose server is started; this one when absent. */
  checkout?: string | undefined
}

export interface Memory {
  rssBytes: number
  heapUsedBytes: number
}

export type Atrium = Awaited<ReturnType<typeof startAtrium>>

/** The real server, with an experiment that recruits; people are made by its own development issuer. */
export async function startAtrium(
  engine: Engine,
  load: Load,
  { profileFolder, isInspected = false, checkout }: AtriumOptions = {},
) {
  const profiling = profileFolder ? [`--cpu-prof --cpu-prof-dir=${profileFolder}`] : []
  const NODE_OPTIONS = [...profiling, ...(isInspected ? [inspecting] : [])].join(' ')
  const entry = checkout && { entry: join(checkout, 'apps', 'server', 'src', 'entry', 'serve.ts') }
  const server = await startServer({ env: { ...(await engine.freshEnv()), NODE_OPTIONS }, ...entry })
  const api = createApi(server.http)
  const experimentId = await (await createResearcher(api)).openExperiment()
  const joinBody = JSON.stringify({ experimentId })

  async function collect(
    route: RouteSpec,
    lanes: LoadOrder['lanes'],
    body: { body?: string } = {},
  ): Promise<unknown[]> {
    const { method, path } = route as { method: LoadOrder['method']; path: string }
    const rest = { clients: 16, longestMs: 600_000, firstLane: 0, collect: true }
    const outcome = await load.run({
      address: server.http,
      method,
      path,
      lanes,
      mostRequests: lanes.length,
      ...rest,
      ...body,
    })
    refuseFailures(outcome.failures, path)
    return outcome.bodies.map((text) => JSON.parse(text))
  }

  async function mintTokens(count: number): Promise<string[]> {
    const lanes = Array.from({ length: count }, (_, index) => ({
      body: JSON.stringify({ sub: `${process.pid}-${index}` }),
    }))
    const answers = await collect(developmentIdentityRoutes.token, lanes)
    return answers.map(
      (answer) => Value.Parse(developmentIdentityRoutes.token.success.schema, answer).idToken,
    )
  }

  const bearing = (tokens: string[]): LoadOrder['lanes'] =>
    tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` } }))

  const atrium = {
    name: checkout ? 'Atrium, before' : 'Atrium',
    address: server.http,
    pid: server.pid,
    stderr: server.stderr,
    joinBody,
    /** Lanes for joining: one identity each. */
    people: async (count: number) => bearing(await mintTokens(count)),
    /** Lanes for what a session may do: real sessions, each of another person. */
    async sessions(count: number): Promise<LoadOrder['lanes']> {
      const answers = await collect(participantRoutes.joinV4, bearing(await mintTokens(count)), {
        body: joinBody,
      })
      return answers.map((answer) => {
        const { sessionId, sessionToken } = Value.Parse(participantRoutes.joinV4.success.schema, answer).data
        return { headers: { 'x-session-id': sessionId, 'x-session-token': sessionToken } }
      })
    },
    async memory(): Promise<Memory> {
      return (await api.call(operationsRoutes.metrics)).body.memory
    },
    /** What is in use; not what has not been cleared away yet. */
    async cleanMemory(): Promise<Memory> {
      await collectGarbage(server.stderr())
      return await atrium.memory()
    },
    stop: () => server.stop(),
  }
  return atrium
}

export async function startAtriumTarget(
  engine: Engine,
  load: Load,
  sessions: number,
  options: AtriumOptions,
): Promise<Target> {
  const atrium = await startAtrium(engine, load, options)
  return {
    ...atrium,
    eventsPath: participantRoutes.eventsV4.path,
    lanes: await atrium.sessions(sessions),
  }
}
