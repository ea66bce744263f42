import type { Agent, AgentFigures, AgentTurnPage, CredentialFigures } from '@atrium/contract'
import type { Clock } from '../../../kernel/clock.ts'
import { listCursor } from '../../../kernel/list-cursor.ts'
import type { ExportSource } from '../../events/index.ts'
import { activityWindow, type Experiments } from '../../experiments/index.ts'
import type { AgentTurnStore, CallSums } from '../turns.store.ts'
import { figuresOf, isPartial } from './call-figures.ts'

interface AgentTurnDeps {
  store: AgentTurnStore
  experiments: Experiments
  clock: Clock
}

/** Pilots may bring agents of their own; nobody reads about more than this. */
const maxAgentsListed = 100

export interface AgentTurns {
  exportPage: AgentTurnStore['exportPage']
  ofRoom(roomId: string, limit: number, before: string | null): Promise<AgentTurnPage>
  ofExperiment(experimentId: string, minutes: number, source: ExportSource): Promise<AgentFigures>
  ofCredential(credentialId: string, minutes: number): Promise<CredentialFigures>
}

/** R45: what was asked of models, and how it went. */
export function createAgentTurns({ store, experiments, clock }: AgentTurnDeps): AgentTurns {
  return {
    exportPage: store.exportPage,

    async ofRoom(roomId, limit, before) {
      const { turns, isLast } = await store.ofRoom({
        roomId,
        limit,
        before: before === null ? null : readCursor(before),
      })
      const last = turns.at(-1)
      return { turns, next: last && !isLast ? writeCursor(last) : null }
    },

    async ofExperiment(experimentId, minutes, source) {
      const { definition } = await experiments.read(experimentId)
      const window = activityWindow(minutes, clock.now())
      const sums = await store.sums({ kind: 'experiment', experimentId, source }, window)
      return {
        ...window,
        isPartial: isPartial(sums),
        agents: agentsListed(definition.agents ?? [], sums, source).map((agent) => ({
          ...agent,
          ...figuresOf(sums, agent.agentId, window),
        })),
      }
    },

    async ofCredential(credentialId, minutes) {
      const window = activityWindow(minutes, clock.now())
      const sums = await store.sums({ kind: 'credential', credentialId }, window)
      return { ...window, isPartial: isPartial(sums), ...figuresOf(sums, '', window) }
    },
  }
}

function agentsListed(agents: readonly Agent[], { counts }: CallSums, source: ExportSource) {
  const own = agents.map(({ id, name, credentialId }) => ({
    agentId: id,
    name,
    credentialId: credentialId ?? null,
  }))
  if (source === 'people') return own
  const known = new Set(agents.map(({ id }) => id))
  const others = new Set(counts.flatMap(({ agentId }) => (known.has(agentId) ? [] : [agentId])))
  const brought = [...others].toSorted().map((agentId) => ({ agentId, name: agentId, credentialId: null }))
  return [...own, ...brought].slice(0, maxAgentsListed)
}

const { write: writeCursor, read: readCursor } = listCursor('askedAt', 'callId')
