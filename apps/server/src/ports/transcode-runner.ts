import type { Source, TranscodeJob } from '@atrium/contract'

/** A run that failed for a reason that a researcher understands from the message. Another run may succeed. */
export class TranscodeFailed extends Error {}

export interface RunOptions {
  /** Aborted when the job is superseded or the worker stops. The run then rejects soon and leaves nothing behind. */
  signal: AbortSignal
  /** From 0 to 1, as often as it is known. */
  onProgress(progress: number): void
}

/**
 * Does the work of a job in this process, for a worker that takes jobs from a queue. Rejects with UnusableSource if no
 * run can succeed; any other error is worth another run, perhaps on another machine.
 */
export interface TranscodeRunner {
  probe(storageKey: string, signal: AbortSignal): Promise<Source>
  /** Resolves when everything is stored, the master playlist last, with `outputGroupDetails` as MediaConvert reports them. */
  runJob(job: TranscodeJob, options: RunOptions): Promise<unknown[]>
}
