import { type Credentials, createStudyDrafts, type OpenModel } from '../modules/agents/index.ts'
import { addStudyDraftRoutes } from '../modules/agents/study-draft.routes.ts'
import type { DefinitionChecks } from '../modules/experiments/index.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface StudyDraftPeers {
  credentials: Credentials
  openModel(credentialId: string): Promise<OpenModel | undefined>
  checks: DefinitionChecks
}

/** Studies that models draft from words. */
export function openStudyDrafts(ports: Ports, { credentials, openModel, checks }: StudyDraftPeers) {
  const { database, limiter, clock, onBackgroundError } = ports
  const { audit } = database.operations
  const studyDrafts = createStudyDrafts({ openModel, checks, audit, clock, onBackgroundError })
  return {
    routes: ({ routes }: HttpEdge): void =>
      addStudyDraftRoutes(routes, { credentials, studyDrafts, limiter }),
    stop: studyDrafts.stop,
  }
}
