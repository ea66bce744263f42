import type { ExperimentAccess, ExperimentDefinition, ExperimentStatus } from '@atrium/contract'

export interface BuiltExperiment {
  experimentId: string
  revision: number
  /** If not, the revision is only what the draft was begun with. */
  isPublished: boolean
  status: ExperimentStatus
  access: ExperimentAccess
  definition: ExperimentDefinition
}
