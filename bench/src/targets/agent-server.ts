import { setTimeout as delay } from 'node:timers/promises'
import { respondTool } from '@atrium/agent-protocol'
import {
  type AgentTurnRecord,
  agentTurnRoutes,
  credentialRoutes,
  type ExportedEvent,
  experimentRoutes,
  pilotRoutes,
} from '@atrium/contract'
import { createApi, createResearcher, linesOf, startServer, succeeded, waitUntil } from '@atrium/testkit'
import type { Engine } from '../harness/engines.ts'
import { bargaining, dealer } from '../suites/agents/study.ts'

interface PlayOrder {
  rooms: number
  thinkMs: number
  studyRounds: number
  /** The rooms begin one after the other within this time; all at once if 0. */
  spreadMs: number
  /** Called before the last rooms begin. */
  beforeLast(): void
}

export type AgentServer = Awaited<ReturnType<typeof startAgentServer>>

/** The real server, whose researcher has a credential for a model server and plays pilots with it. */
export async function startAgentServer(
  engine: Engine,
  { baseUrl, key, profileFolder }: { baseUrl: string; key: string; profileFolder?: string | undefined },
) {
  const NODE_OPTIONS = profileFolder ? `--cpu-prof --cpu-prof-dir=${profileFolder}` : ''
  const server = await startServer({ env: { ...(await engine.freshEnv()), NODE_OPTIONS } })
  const api = createApi(server.http)
  const { token } = await createResearcher(api)
  const body = { name: 'bench', provider: 'Custom', model: 'bench', baseUrl, apiKey: key }
  const { credentialId } = succeeded(await api.call(credentialRoutes.create, { token, body }))
  let newest = { experimentId: '', roomId: '' }

  return {
    pid: server.pid,
    /** Begins to play. */
    async begin({ rooms, thinkMs, studyRounds, spreadMs, beforeLast }: PlayOrder) {
      const definition = { token, body: bargaining(studyRounds) }
      const { experimentId } = succeeded(await api.call(experimentRoutes.create, definition))
      const as = { token, params: { experimentId } }
      const pilot = async (count: number): Promise<void> => {
        const body = { rooms: count, agents: [dealer(credentialId, thinkMs)] }
        const { roomIds } = succeeded(await api.call(pilotRoutes.create, { ...as, body }))
        newest = { experimentId, roomId: roomIds[0] ?? '' }
      }
      const counts = spreadMs === 0 ? [rooms] : Array.from({ length: rooms }, () => 1)
      for (const [index, count] of counts.entries()) {
        if (index > 0) await delay(spreadMs / rooms)
        if (index === counts.length - 1) beforeLast()
        await pilot(count)
      }

      const countEnded = async (): Promise<number> => {
        const { pilots } = succeeded(await api.call(pilotRoutes.list, { ...as, query: { limit: '100' } }))
        return pilots.reduce((sum, { progress }) => sum + progress.ended, 0)
      }
      return {
        ended: () =>
          waitUntil(
            async () => {
              const ended = await countEnded()
              return ended === rooms || `${ended} of ${rooms} rooms have ended`
            },
            { timeoutMs: 600_000, everyMs: 500 },
          ),
        /** What the rooms have recorded. */
        async lines(): Promise<ExportedEvent[]> {
          const response = await api.call(experimentRoutes.export, { ...as, query: { synthetic: 'true' } })
          succeeded(response)
          return linesOf(response.text) as ExportedEvent[]
        },
      }
    },
    /** What an agent of the newest pilot was asked in the middle of its room, as it is sent. */
    async usualRequest(): Promise<string> {
      const { experimentId, roomId } = newest
      const query = { roomId, synthetic: 'true' as const }
      const response = await api.call(agentTurnRoutes.export, { token, params: { experimentId }, query })
      succeeded(response)
      const turns = linesOf(response.text) as AgentTurnRecord[]
      const { request } = turns[Math.floor(turns.length / 2)] ?? { request: null }
      const { tool, ...rest } = request as { tool: unknown }
      const choice = { type: 'function', function: { name: respondTool } }
      return JSON.stringify({ ...rest, tools: [tool], tool_choice: choice, stream: false })
    },
    stop: () => server.stop(),
  }
}
