import type { ExperimentAccess, ExperimentDefinition, ExperimentStatus } from '@atrium/contract'

export interface BuiltExperiment {
  experimentId: string
  revision: number
  status: ExperimentStatus
  access: ExperimentAccess
  definition: ExperimentDefinition
}
