import { credentialRoutes } from '../agents/credentials.ts'
import { agentFigureRoutes } from '../agents/figures.ts'
import { pilotRoutes } from '../agents/pilots.ts'
import { studyDraftRoutes } from '../agents/study-draft.ts'
import { agentTurnRoutes } from '../agents/turns.ts'
import { answerFileRoutes } from './answer-file.ts'
import { auditRoutes } from './audit.ts'
import { draftRoutes } from './draft.ts'
import { experimentRoutes } from './experiment.ts'
import { flowRoutes } from './flow.ts'
import { forecastRoutes } from './forecast.ts'
import { developmentIdentityRoutes, identityRoutes } from './identity.ts'
import { keyRoutes } from './keys.ts'
import { liveRoutes } from './live.ts'
import { matchingRoutes } from './matching.ts'
import { mediaRoutes } from './media.ts'
import { operationsRoutes } from './operations.ts'
import { participantRoutes } from './participant-routes.ts'
import { peopleRoutes } from './people.ts'
import { plotRoutes } from './plots.ts'
import { privacyRoutes } from './privacy.ts'
import { prolificRoutes } from './prolific.ts'
import { recruitmentRoutes } from './recruitment.ts'
import { replayRoutes } from './replay.ts'
import { revisionRoutes } from './revision.ts'
import { roomRoutes } from './room.ts'
import type { RouteSpec } from './route.ts'
import { shareRoutes } from './shares.ts'
import { systemRoutes } from './system.ts'
import { tableRoutes } from './tables.ts'
import { tryRoutes } from './tries.ts'
import { uploadRoutes } from './upload.ts'
import { internalVideoRoutes, videoRoutes } from './video.ts'

/** Every HTTP route of the server, in the order of the reference. */
export const allRoutes: readonly RouteSpec[] = [
  ...Object.values(participantRoutes),
  ...Object.values(experimentRoutes),
  ...Object.values(plotRoutes),
  ...Object.values(flowRoutes),
  ...Object.values(peopleRoutes),
  ...Object.values(answerFileRoutes),
  ...Object.values(revisionRoutes),
  ...Object.values(draftRoutes),
  ...Object.values(tryRoutes),
  ...Object.values(recruitmentRoutes),
  ...Object.values(privacyRoutes),
  ...Object.values(auditRoutes),
  ...Object.values(systemRoutes),
  ...Object.values(prolificRoutes),
  ...Object.values(shareRoutes),
  ...Object.values(matchingRoutes),
  ...Object.values(forecastRoutes),
  ...Object.values(roomRoutes),
  ...Object.values(replayRoutes),
  ...Object.values(liveRoutes),
  ...Object.values(credentialRoutes),
  ...Object.values(studyDraftRoutes),
  ...Object.values(agentFigureRoutes),
  ...Object.values(agentTurnRoutes),
  ...Object.values(pilotRoutes),
  ...Object.values(uploadRoutes),
  ...Object.values(mediaRoutes),
  ...Object.values(videoRoutes),
  ...Object.values(internalVideoRoutes),
  ...Object.values(tableRoutes),
  ...Object.values(operationsRoutes),
  ...Object.values(keyRoutes),
  ...Object.values(identityRoutes),
  ...Object.values(developmentIdentityRoutes),
]
