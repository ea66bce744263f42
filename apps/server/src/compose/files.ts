import type { Experiments } from '../modules/experiments/index.ts'
import {
  type AnswerFileRouteDeps,
  addAnswerFileRoutes,
  addUploadedAnswerRoute,
} from '../modules/files/answer-files.routes.ts'
import { createAnswerFiles } from '../modules/files/index.ts'
import type { Media } from '../modules/media/index.ts'
import { refuseForeignClaims } from '../modules/participants/participant-requests.ts'
import type { Sessions } from '../modules/sessions/index.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface FilePeers extends Pick<AnswerFileRouteDeps, 'privacy'> {
  experiments: Experiments
  sessions: Sessions
  media: Media
}

/** Files and recordings in answers, which are kept where videos are. */
export function openFiles(ports: Ports, { experiments, sessions, media, privacy }: FilePeers) {
  const { config, database, space, quota, arrivals, clock } = ports
  const files = createAnswerFiles({
    store: database.files,
    quota: { ...quota, participantBytes: config.quotas.participantFileBytes },
    space,
    objects: media.objects,
    hasObjects: media.hasObjects,
    experiments,
    sessions,
  })
  return {
    files,
    routes({ routes }: HttpEdge): void {
      if (config.useV4) addUploadedAnswerRoute(routes, { files, arrivals, refuseForeignClaims })
      addAnswerFileRoutes(routes, { files, privacy, clock, audit: database.operations.audit })
    },
  }
}
