import { join } from 'node:path'
import { developmentIdentityRoutes, participantRoutes, type RouteSpec } from '@atrium/contract'
import { createApi, createResearcher, startServer, waitUntil } from '@atrium/testkit'
import { Value } from 'typebox/value'
import { WebSocket } from 'ws'
import type { Engine } from '../harness/engines.ts'
import { type EventsTarget, type Load, type LoadOrder, refuseFailures } from '../load/http-load.ts'
import { type Memory, memoryOf, sessionOf } from './responses.ts'

export interface AtriumOptions {
  /** The folder for V8's CPU profile of the server, written when it ends. */
  profileFolder?: string | undefined
  /** Whether its garbage can be collected before its memory is measured. */
  isInspected?: boolean
  /** The checkout whose server is started; this one if absent. */
  checkout?: string | undefined
}

/** Makes a server print to stderr where its inspector listens. */
const inspectOption = '--inspect=127.0.0.1:0'

export type Atrium = Awaited<ReturnType<typeof startAtrium>>

/** The real server with an open experiment. Its development issuer provides the identities. */
export async function startAtrium(
  engine: Engine,
  load: Load,
  { profileFolder, isInspected = false, checkout }: AtriumOptions = {},
) {
  const profiling = profileFolder ? [`--cpu-prof --cpu-prof-dir=${profileFolder}`] : []
  const NODE_OPTIONS = [...profiling, ...(isInspected ? [inspectOption] : [])].join(' ')
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
    const rest = { clients: 16, maxMs: 600_000, firstLane: 0, collect: true }
    const outcome = await load.run({
      address: server.http,
      method,
      path,
      lanes,
      maxRequests: lanes.length,
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
    const bodies = await collect(developmentIdentityRoutes.token, lanes)
    return bodies.map((body) => Value.Parse(developmentIdentityRoutes.token.success.schema, body).idToken)
  }

  const bearing = (tokens: string[]): LoadOrder['lanes'] =>
    tokens.map((token) => ({ headers: { authorization: `Bearer ${token}` } }))

  const atrium = {
    name: checkout ? 'Atrium, before' : 'Atrium',
    address: server.http,
    pid: server.pid,
    stderr: server.stderr,
    joinBody,
    /** Lanes for joining, one identity each. */
    people: async (count: number) => bearing(await mintTokens(count)),
    /** Lanes with real sessions, each of a different person. */
    async sessions(count: number): Promise<LoadOrder['lanes']> {
      const bodies = await collect(participantRoutes.joinV4, bearing(await mintTokens(count)), {
        body: joinBody,
      })
      return bodies.map((body) => {
        const { sessionId, sessionToken } = sessionOf(body)
        return { headers: { 'x-session-id': sessionId, 'x-session-token': sessionToken } }
      })
    },
    memory: () => memoryOf(server.http),
    /** Memory in use after a garbage collection. */
    async memoryInUse(): Promise<Memory> {
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
): Promise<EventsTarget> {
  const atrium = await startAtrium(engine, load, options)
  return {
    ...atrium,
    eventsPath: participantRoutes.eventsV4.path,
    lanes: await atrium.sessions(sessions),
  }
}

/** Runs the garbage collector of the server's V8 through its inspector. */
async function collectGarbage(stderr: string): Promise<void> {
  const address = /Debugger listening on (ws:\S+)/.exec(stderr)?.[1]
  if (address === undefined) throw new Error(`the server has no inspector: ${stderr}`)
  const inspector = new WebSocket(address)
  let isDone = false
  inspector.on('open', () => inspector.send('{"id":1,"method":"HeapProfiler.collectGarbage"}'))
  inspector.on('message', () => {
    isDone = true
  })
  await waitUntil(() => isDone || 'garbage has not been collected yet')
  inspector.close()
}
