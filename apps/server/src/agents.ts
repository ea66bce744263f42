import { inSpan, type Tracing } from '@atrium/program'
import { createGuardedFetch } from './adapters/outbound/guarded-fetch.ts'
import type { Config } from './config/config.ts'
import { type CredentialContext, openCredentials } from './credentials.ts'
import { AppError } from './kernel/app-error.ts'
import {
  createAgentRunner,
  createOpenAiProvider,
  createOpenModels,
  type ModelProvider,
  type OpenModel,
} from './modules/agents/index.ts'
import type { AgentCall, Rooms } from './modules/rooms/index.ts'

export interface AgentContext extends Omit<CredentialContext, 'fetch'> {
  rooms: Rooms
  onCall(call: AgentCall): void
  /** Undefined: no traces. */
  tracing: Tracing | undefined
}

/** Agents in rooms: the credentials of their model servers, the guarded way to them, and who takes their turns. */
export function openAgents(config: Config, context: AgentContext) {
  const { database, rooms, clock, onCall, tracing, onBackgroundError } = context
  const outbound = createGuardedFetch({ hosted: config.hosted })
  const credentials = openCredentials(config, { ...context, fetch: outbound.fetch })

  const open = createOpenModels({
    credentials,
    createProvider: (server) =>
      traceModel(createOpenAiProvider({ ...server, fetch: outbound.fetch }), tracing),
    clock,
  })

  async function openModel(credentialId: string): Promise<OpenModel | undefined> {
    try {
      return await open(credentialId)
    } catch (error) {
      // Its key cannot be decrypted: the agent falls back, and the record says so.
      if (error instanceof AppError && error.code === 'CREDENTIAL_UNREADABLE') return undefined
      throw error
    }
  }

  const runner = createAgentRunner({
    store: database.agentRunner,
    openModel,
    onCall,
    aroundTurn: (turn) => inSpan(tracing, ['agent turn', { isRoot: true }], turn),
    rooms,
    clock,
    onBackgroundError,
  })
  return {
    credentials,
    openModel: open,
    async stop(): Promise<void> {
      // Turns are cancelled first, so that none of them is recorded as a failure of its model server.
      const stopped = runner.stop()
      outbound.close()
      await stopped
    },
  }
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
