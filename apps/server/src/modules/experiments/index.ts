export { type Sight, sightOf } from './access.ts'
export { activityWindow } from './activity.ts'
export { loadExamples } from './examples.ts'
export { createExperimentAccesses, type ExperimentAccesses } from './experiment-access.ts'
export type { ActivityWindow } from './experiments.store.ts'
export { createExperiments, type Experiments } from './experiments.ts'
export {
  type Delta,
  type DeltaKind,
  eventDeltas,
  foldDeltas,
  longestKeptMs,
  resolutionOf,
  resolutions,
} from './figures.plan.ts'
export type { FigureStore } from './figures.store.ts'
export { createFigures } from './figures.ts'
