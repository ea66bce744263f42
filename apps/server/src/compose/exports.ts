import { version } from '../http/figures.ts'
import type { AgentTurns } from '../modules/agents/index.ts'
import type { EventExports } from '../modules/events/index.ts'
import type { ExperimentAccesses, Experiments } from '../modules/experiments/index.ts'
import { addExportRoutes } from '../modules/exports/exports.routes.ts'
import { createExports } from '../modules/exports/index.ts'
import type { AnswerFiles } from '../modules/files/index.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface ExportPeers {
  experiments: Experiments
  accesses: ExperimentAccesses
  eventExports: EventExports
  agentTurns: AgentTurns
  files: AnswerFiles
}

/** The files of the data of an experiment. */
export function openExports({ database, clock }: Ports, peers: ExportPeers) {
  const { experiments, accesses, eventExports, agentTurns, files } = peers
  const exports = createExports({
    store: database.exports,
    readAnswerFile: files.read,
    agentTurns,
    experiments,
    version,
  })
  return {
    routes: ({ routes }: HttpEdge): void =>
      addExportRoutes(routes, { experiments, accesses, exports, eventExports, clock }),
  }
}
