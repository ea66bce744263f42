import type { Credentials } from '../modules/agents/index.ts'
import type { Experiments } from '../modules/experiments/index.ts'
import type { AnswerFiles } from '../modules/files/index.ts'
import type { Media } from '../modules/media/index.ts'
import type { Sessions } from '../modules/sessions/index.ts'
import type { Tables } from '../modules/tables/index.ts'
import { createTries } from '../modules/tries/index.ts'
import { addTryRoutes } from '../modules/tries/tries.routes.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

interface TryPeers {
  experiments: Experiments
  media: Media
  credentials: Credentials
  sessions: Sessions
  files: AnswerFiles
  tables: Tables
}

/** Experiments that researchers try before they recruit for them. */
export function openTries(ports: Ports, peers: TryPeers) {
  const { database, heavyWork, queue, bus, clock } = ports
  const { experiments, media, credentials, sessions, files, tables } = peers
  const tries = createTries({
    store: database.tries,
    experiments,
    heavyWork,
    media,
    credentials,
    sessions,
    queue,
    files,
    tables,
    bus,
    clock,
  })
  return { routes: ({ routes }: HttpEdge): void => addTryRoutes(routes, tries), sweep: tries.sweep }
}
