import { modelCheckNames } from '@atrium/contract'
import { checkModelServer } from '@atrium/model-checks'
import { inSpan, type Tracing } from '@atrium/program'
import { createGuardedFetch } from '../adapters/outbound/guarded-fetch.ts'
import type { Metrics } from '../http/metrics.ts'
import { AppError } from '../kernel/app-error.ts'
import { addCredentialRoutes } from '../modules/agents/credentials.routes.ts'
import {
  type CheckServer,
  createAgentRunner,
  createAgentTurns,
  createCredentials,
  createOpenAiProvider,
  createOpenModels,
  type KeyBox,
  type ModelProvider,
  type OpenModel,
} from '../modules/agents/index.ts'
import { addAgentTurnRoutes } from '../modules/agents/turns.routes.ts'
import type { EventExports } from '../modules/events/index.ts'
import type { ExperimentAccesses, Experiments } from '../modules/experiments/index.ts'
import type { Rooms } from '../modules/rooms/index.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface AgentPeers {
  box: KeyBox
  experiments: Experiments
  accesses: ExperimentAccesses
  eventExports: EventExports
  rooms: Rooms
  metrics: Metrics
}

/** Agents in rooms: the credentials of their model servers, the guarded way to them, and who takes their turns. */
export function openAgents(ports: Ports, peers: AgentPeers) {
  const { config, database, limiter, tracing, clock, warn, onBackgroundError } = ports
  const { box, experiments, accesses, eventExports, rooms, metrics } = peers
  const outbound = createGuardedFetch({ hosted: config.hosted })
  const credentials = createCredentials({
    store: database.credentials,
    box,
    httpsOnly: config.hosted,
    checkServer: checkWith(outbound.fetch),
    clock,
    warn,
    onBackgroundError,
  })
  const openModel = createOpenModels({
    credentials,
    createProvider: (server) =>
      traceModel(createOpenAiProvider({ ...server, fetch: outbound.fetch }), tracing),
    clock,
  })
  const runner = createAgentRunner({
    store: database.agentRunner,
    openModel: unlessUnreadable(openModel),
    onCall: metrics.agents.called,
    aroundTurn: (turn) => inSpan(tracing, ['agent turn', { isRoot: true }], turn),
    rooms,
    clock,
    onBackgroundError,
  })
  const agentTurns = createAgentTurns({ store: database.agentTurns, experiments, clock })
  return {
    credentials,
    openModel,
    agentTurns,
    routes({ routes }: HttpEdge): void {
      addCredentialRoutes(routes, { credentials, limiter })
      addAgentTurnRoutes(routes, { agentTurns, experiments, accesses, eventExports, credentials })
    },
    start: credentials.reseal,
    async stopTurns(): Promise<void> {
      // Turns are cancelled first, so that none of them is recorded as a failure of its model server.
      const stopped = runner.stop()
      outbound.close()
      await stopped
    },
    stop: credentials.stop,
  }
}

/** If its key cannot be decrypted, the agent falls back, and the record says so. */
const unlessUnreadable =
  (open: (credentialId: string) => Promise<OpenModel | undefined>): typeof open =>
  async (credentialId) => {
    try {
      return await open(credentialId)
    } catch (error) {
      if (error instanceof AppError && error.code === 'CREDENTIAL_UNREADABLE') return undefined
      throw error
    }
  }

/** R42: the checks of the agent tool's `verify`, as far as the contract asks for them. */
const checkWith =
  (fetch: typeof globalThis.fetch): CheckServer =>
  async (server, { signal, onBegun, onChecked }) => {
    const { ok, checks } = await checkModelServer({
      ...server,
      further: false,
      fetch,
      signal,
      onChecked,
      onProgress({ check }) {
        const name = modelCheckNames.find((known) => known === check)
        if (name) onBegun(name)
      },
    })
    return { ok, checks }
  }

/** What a model was asked and what it replied stay out of the trace: both are what participants wrote. */
function traceModel(provider: ModelProvider, tracing: Tracing | undefined): ModelProvider {
  if (!tracing) return provider
  return {
    ask: (request, options) =>
      inSpan(tracing, ['model call', { kind: 'client' }], async (span) => {
        const outcome = await provider.ask(request, options)
        span?.add({ 'atrium.outcome': outcome.kind === 'failed' ? outcome.reason : outcome.kind })
        return outcome
      }),
  }
}
