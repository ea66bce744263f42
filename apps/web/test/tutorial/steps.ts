import { buildingSteps } from './building-steps.ts'
import { runningSteps } from './running-steps.ts'
import type { Story } from './story.ts'

export type Steps = Record<string, (story: Story) => Promise<void>>

/** By their titles on the page, in order. */
export const steps: Steps = { ...buildingSteps, ...runningSteps }
