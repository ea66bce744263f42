export { speedUp, speedUpAgent } from '@atrium/contract'
export { type BotOptions, createBot } from './bot.ts'
export { type BotEvent, type BotLog, eventsOf, participantIdOf, takenFrom } from './bot-log.ts'
export { checkInvariants, type Finding } from './invariants/check-invariants.ts'
export type { Evidence } from './invariants/evidence.ts'

export { createDraws, type Draws } from './random.ts'
export {
  examineStudy,
  playStudy,
  type Simulation,
  type SimulationOptions,
  simulate,
} from './simulation/simulate.ts'
export { renderSummary } from './simulation/summary.ts'
