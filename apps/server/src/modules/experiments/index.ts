export { loadExamples } from './examples.ts'
export { createExperiments, type Experiments } from './experiments.ts'
