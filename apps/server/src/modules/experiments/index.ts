export { sightOf } from './access.ts'
export { loadExamples } from './examples.ts'
export { createExperimentAccesses, type ExperimentAccesses } from './experiment-access.ts'
export { createExperiments, type Experiments } from './experiments.ts'
