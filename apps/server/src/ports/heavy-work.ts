import type {
  DryRun,
  DryRunArrivals,
  ExperimentDefinition,
  Matching,
  PaymentForecast,
  TrialRow,
  ValidationIssue,
  WrittenDefinition,
} from '@atrium/contract'

/** Of the uploaded tables that its author may use. */
export type RowsByTableId = ReadonlyMap<string, TrialRow[]>

export interface CheckedDefinition {
  definition: WrittenDefinition
  /** Not wrong, but perhaps unintended: an unknown component type. */
  warnings: ValidationIssue[]
}

export interface DryRunTask {
  definition: ExperimentDefinition
  /** Settings to try instead of the definition's own. */
  matching?: Matching
  arrivals: DryRunArrivals
  seed: string
}

export interface ForecastTask {
  /** As it was written; checked first unless it was saved. */
  definition: unknown
  isSaved: boolean
  people: number
}

/**
 * Requests of researchers that take long: done off the event loop, each within a time limit. Actors take turns, and none
 * can keep the others out: whoever saves waits for no dry run, and for no check of an actor whose last one was cut off.
 * Refuses (UNAVAILABLE) when too many wait, starting with the actor who has most waiting.
 */
export interface HeavyWork {
  /** Refuses an invalid definition, with the paths of what is wrong. */
  checkDefinition(body: unknown, actor: string, rows?: RowsByTableId): Promise<CheckedDefinition>
  /** M20. At most two per actor at a time. */
  dryRun(task: DryRunTask, actor: string): Promise<DryRun>
  /** R64. Counts as a dry run. */
  forecast(task: ForecastTask, actor: string): Promise<PaymentForecast>
  close(): Promise<void>
}
