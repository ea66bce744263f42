import type { Credentials } from '../modules/agents/index.ts'
import { addExperimentRoutes } from '../modules/experiments/experiments.routes.ts'
import {
  createDefinitionChecks,
  createDrafts,
  createExperimentAccesses,
  createExperiments,
  createFigures,
  type Drafts,
  type ExperimentAccesses,
  type Experiments,
} from '../modules/experiments/index.ts'
import type { Keys } from '../modules/keys/index.ts'
import { addMatchingRoutes } from '../modules/matching/matching.routes.ts'
import type { Media } from '../modules/media/index.ts'
import { addForecastRoutes } from '../modules/rooms/forecast.routes.ts'
import type { Tables } from '../modules/tables/index.ts'
import type { HttpEdge } from './outside.ts'
import type { Ports } from './ports.ts'

/** Experiments, who may do what with them, and the figures that are kept about them. */
export function openExperiments(ports: Ports, { keys, tables }: { keys: Keys; tables: Tables }) {
  const { database, bus, clock, onBackgroundError } = ports
  const experiments = createExperiments({
    ...{ store: database.experiments, clock },
    filled: tables.filled,
  })
  const figures = createFigures({ store: database.figures, clock, onBackgroundError })
  return {
    experiments,
    drafts: createDrafts({ store: database.drafts, experiments, clock }),
    accesses: createExperimentAccesses({ store: database.accesses, bus, clock, confirmKey: keys.confirm }),
    start: figures.start,
    stop: figures.stop,
  }
}

interface DefinitionPeers {
  experiments: Experiments
  accesses: ExperimentAccesses
  drafts: Drafts
  media: Media
  credentials: Credentials
  tables: Tables
}

/** The checks of what an experiment is defined to be, before it is saved; they know what definitions name elsewhere. */
export function openDefinitions(ports: Ports, peers: DefinitionPeers) {
  const { database, clock, heavyWork } = ports
  const { experiments, accesses, drafts, media, credentials, tables } = peers
  const checks = createDefinitionChecks({
    heavyWork,
    rowsFor: tables.rowsFor,
    refuseHiddenMedia: media.refuseHidden,
    refuseHiddenCredentials: credentials.refuseHidden,
    warningsAboutVideos: media.warningsAbout,
  })
  return {
    checks,
    routes({ routes }: HttpEdge): void {
      addExperimentRoutes(routes, {
        ...{ experiments, accesses, drafts, checks, clock },
        refuseFailedVideos: media.refuseFailed,
        audit: database.operations.audit,
      })
      addMatchingRoutes(routes, { experiments, heavyWork })
      addForecastRoutes(routes, { experiments, heavyWork })
    },
  }
}
