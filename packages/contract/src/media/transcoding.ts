import type { LevelName } from './ladder.ts'

// What the submit function and every transcoder agree on, wherever each of them runs.

/** What is known about an original before it is transcoded. */
export interface Source {
  durationMs: number | null
  /** As displayed: after rotation and with square pixels. */
  width: number
  height: number
  hasAudio: boolean
}

export interface TranscodeJob {
  videoId: string
  /** Of the original. */
  storageKey: string
  levels: readonly LevelName[]
  source: Source
  /** The same token never makes two jobs. */
  requestToken: string
}

/** A source that can never be transcoded. The message is a sentence that a researcher understands. */
export class UnusableSource extends Error {}

/** Probes an original and turns it into HLS. Reports on jobs arrive separately, as job events. */
export interface Transcoder {
  /** Rejects with UnusableSource for files that are no video; with any other error if it is worth trying again. */
  probe(storageKey: string): Promise<Source>
  /** Returns the id of the job, which may not have started yet. */
  submit(job: TranscodeJob): Promise<string>
  /** Stops a job if it still runs. */
  cancel(jobId: string): Promise<void>
}
