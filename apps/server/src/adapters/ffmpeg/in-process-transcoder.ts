import { randomUUID } from 'node:crypto'
import type { Clock } from '../../kernel/clock.ts'
import { createTurns } from '../../kernel/turns.ts'
import { type TranscodeJob, type Transcoder, UnusableSource } from '../../ports/transcoder.ts'
import { TranscodeFailed } from './failures.ts'
import type { FfmpegRunner } from './runner.ts'

/** How a job has ended, in the words of MediaConvert. */
export interface EndedJob {
  videoId: string
  jobId: string
  /** Epoch milliseconds. */
  at: number
  outcome: { status: 'COMPLETE'; outputGroupDetails: unknown[] } | { status: 'ERROR'; errorMessage: string }
}

export interface InProcessDeps {
  runner: Pick<FfmpegRunner, 'probe' | 'runJob'>
  jobsAtOnce: number
  onEnded(job: EndedJob): Promise<void>
  onProgress(report: { videoId: string; jobId: string; progress: number }): void
  clock: Clock
  warn(facts: Record<string, unknown>, message: string): void
}

interface LiveJob {
  jobId: string
  videoId: string
  requestToken: string
  stop: AbortController
  /** Nothing of it runs any more, and it has left nothing behind. */
  ended: Promise<unknown>
  /** Its end was also told. */
  reported: Promise<void>
}

const probesAtOnce = 2

/** The end of a job that its caller has asked for; a researcher sees it only if nothing superseded it. */
class Canceled extends TranscodeFailed {
  constructor() {
    super('Transcoding was canceled.')
  }
}
/** The process ends. The caller submits the job again in the next one, so that nobody is told. */
class Stopped extends Error {}

/** Jobs run in this process, one after the other; the caller submits again what a crash has interrupted. */
export function createInProcessTranscoder(
  deps: InProcessDeps,
): Transcoder & { has(jobId: string): boolean; stop(): Promise<void> } {
  const { runner, clock, warn } = deps
  const live = new Map<string, LiveJob>()
  const takeTurn = createTurns(deps.jobsAtOnce)
  const probeInTurn = createTurns(probesAtOnce)
  const life = new AbortController()

  async function run(jobId: string, job: TranscodeJob, signal: AbortSignal): Promise<unknown[]> {
    const { videoId } = job
    const waiting = new AbortController()
    const result = takeTurn(async () => {
      waiting.abort()
      signal.throwIfAborted()
      const onProgress = (progress: number) => deps.onProgress({ videoId, jobId, progress })
      return await runner.runJob(job, { signal, onProgress })
    })
    result.catch(() => undefined) // Nobody listens any more if the job was canceled while it waited.
    return await Promise.race([result, abortOf(signal, waiting.signal)])
  }

  function outcomeOf(
    error: unknown,
    job: { videoId: string; jobId: string },
  ): EndedJob['outcome'] | undefined {
    if (error instanceof Stopped) return undefined
    if (!isExplained(error)) warn({ ...job, err: error }, 'a transcode job failed')
    return { status: 'ERROR', errorMessage: sentenceOf(error) }
  }

  async function submit(job: TranscodeJob): Promise<string> {
    life.signal.throwIfAborted()
    const { videoId, requestToken } = job
    const earlier = [...live.values()].filter((other) => other.videoId === videoId)
    const same = earlier.find((other) => other.requestToken === requestToken && !other.stop.signal.aborted)
    if (same) return same.jobId
    // R33: superseded, so that their outcome would change nothing.
    for (const { stop } of earlier) stop.abort(new Canceled())
    const [jobId, stop] = [randomUUID(), new AbortController()]
    const ended = Promise.all(earlier.map((other) => other.ended))
      .then(() => run(jobId, job, AbortSignal.any([stop.signal, life.signal])))
      .then(
        (outputGroupDetails) => ({ status: 'COMPLETE' as const, outputGroupDetails }),
        (error: unknown) => outcomeOf(error, { videoId, jobId }),
      )
    const reported = ended
      .then(async (outcome) => {
        if (outcome) await deps.onEnded({ videoId, jobId, at: clock.now(), outcome })
      })
      .catch((err: unknown) => warn({ videoId, jobId, err }, 'the end of a transcode job was not recorded'))
      .finally(() => live.delete(jobId))
    live.set(jobId, { jobId, videoId, requestToken, stop, ended, reported })
    return jobId
  }

  return {
    probe: (storageKey) => probeInTurn(() => runner.probe(storageKey, life.signal)),
    submit,
    /** Whether the job waits, runs, or is about to tell its end. */
    has: (jobId) => live.has(jobId),
    async cancel(jobId) {
      const job = live.get(jobId)
      job?.stop.abort(new Canceled())
      await job?.ended
    },
    /** Ends everything that runs; what it would have left behind is removed. */
    async stop() {
      life.abort(new Stopped())
      await Promise.all([...live.values()].map(({ reported }) => reported))
    },
  }
}

/** Rejects when `signal` is aborted, unless `until` came first: then whoever does the work ends it. */
const abortOf = (signal: AbortSignal, until: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: until })
  })

const isExplained = (error: unknown): error is Error =>
  error instanceof UnusableSource || error instanceof TranscodeFailed

const sentenceOf = (error: unknown): string =>
  isExplained(error)
    ? error.message
    : 'The server could not transcode this video. Please tell an administrator, who can try again.'
