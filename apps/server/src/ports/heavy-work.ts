import type {
  DryRun,
  DryRunArrivals,
  ExperimentDefinition,
  Matching,
  ValidationIssue,
} from '@atrium/contract'

export interface CheckedDefinition {
  definition: ExperimentDefinition
  /** Not wrong, but perhaps not meant: a setting or a component type that nobody knows. */
  warnings: ValidationIssue[]
}

export interface DryRunTask {
  definition: ExperimentDefinition
  /** Settings to try instead of those of the definition. */
  matching?: Matching
  arrivals: DryRunArrivals
  seed: string
}

/**
 * What a researcher may ask for and what takes long: done beside the event loop, one thing after the other, each within a
 * time limit. The actors take turns, and none of them keeps the others out. Refuses (UNAVAILABLE) when too many wait
 * already: first those of the actor who has most waiting.
 */
export interface HeavyWork {
  /** Refuses what is not sound, with the places where it is not. */
  checkDefinition(body: unknown, actor: string): Promise<CheckedDefinition>
  /** M20. At most two of one actor at the same time. */
  dryRun(task: DryRunTask, actor: string): Promise<DryRun>
  close(): Promise<void>
}
