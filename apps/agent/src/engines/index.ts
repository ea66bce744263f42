export { installNodeLlama } from './node-llama/install.ts'
export { type EngineChoice, openEngine } from './open-engine.ts'
