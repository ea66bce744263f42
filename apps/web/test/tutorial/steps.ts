import { buildingSteps } from './building-steps.ts'
import { runningSteps } from './running-steps.ts'
import type { Steps } from './story.ts'

export const steps: Steps = { ...buildingSteps, ...runningSteps }
