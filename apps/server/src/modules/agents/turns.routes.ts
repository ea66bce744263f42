import {
  agentFigureRoutes,
  agentTurnRoutes,
  agentTurnsPerPage,
  figureMinutes,
  wholeNumberOf,
} from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { EventExports, ExportSource } from '../events/index.ts'
import type { ExperimentAccesses, Experiments } from '../experiments/index.ts'
import { type Identity, signedBy } from '../identity/index.ts'
import type { Credentials } from './credentials/credentials.ts'
import type { AgentTurns } from './turns/agent-turns.ts'
import type { CallPosition } from './turns.store.ts'

export interface AgentTurnRouteDeps {
  agentTurns: AgentTurns
  experiments: Experiments
  accesses: ExperimentAccesses
  eventExports: EventExports
  credentials: Pick<Credentials, 'read'>
}

/** R45: for researchers who may see the experiment, and for owners of credentials. */
export function addAgentTurnRoutes(
  routes: Routes<Identity>,
  { agentTurns, experiments, accesses, eventExports, credentials }: AgentTurnRouteDeps,
): void {
  routes.add(agentTurnRoutes.export, async ({ params, query, identity, request, reply }) => {
    const { experimentId } = params
    await experiments.find(experimentId)
    const source = sourceOf(query)
    const calls = { experimentId, roomId: query.roomId ?? null, source }
    return await eventExports.start({
      experimentId,
      table: 'agentTurns',
      filters: {
        ...(query.roomId === undefined ? {} : { roomId: query.roomId }),
        ...(source === 'pilots' ? { synthetic: true } : {}),
      },
      read: (after: CallPosition | null) => agentTurns.exportPage(calls, after),
      actor: signedBy(identity),
      requestId: request.id,
      to: reply.raw,
      askAgain: () => accesses.admit(agentTurnRoutes.export, params, identity),
      onBroken: (broken) => request.log.warn(broken, 'an export broke off'),
    })
  })
  routes.add(
    agentTurnRoutes.ofRoom,
    async ({ params, query }) =>
      await agentTurns.ofRoom(
        params.roomId,
        wholeNumberOf(query.limit, agentTurnsPerPage),
        query.before ?? null,
      ),
  )
  routes.add(
    agentFigureRoutes.ofExperiment,
    async ({ params, query }) =>
      await agentTurns.ofExperiment(
        params.experimentId,
        wholeNumberOf(query.minutes, figureMinutes),
        sourceOf(query),
      ),
  )
  routes.add(agentFigureRoutes.ofCredential, async ({ params, query, identity }) => {
    // Throws unless they may see it.
    await credentials.read(params.credentialId, identity)
    return await agentTurns.ofCredential(params.credentialId, wholeNumberOf(query.minutes, figureMinutes))
  })
}

const sourceOf = ({ synthetic }: { synthetic?: 'true' | 'false' }): ExportSource =>
  synthetic === 'true' ? 'pilots' : 'people'
