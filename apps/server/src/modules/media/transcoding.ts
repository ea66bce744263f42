import { type HlsComplete, type HlsSubmitted, type LevelName, levelNames, objectKeys } from '@atrium/contract'
import { validationFailed } from '../../kernel/app-error.ts'
import type { VideoLifecycle } from './lifecycle.ts'
import type { Outcome, Video } from './video.plan.ts'

/** An original that is stored and waits for a transcoder; with another `attempt` for each transcoding of it. */
export type StoredVideo = Pick<Video, 'videoId' | 'storageKey' | 'attempt'>

export interface TranscodingDeps {
  /** Hands it to a transcoder. Rejects if that may succeed later. Undefined: the events of the bucket do it. */
  submitOriginal: ((video: StoredVideo) => Promise<void>) | undefined
  /** Whether nobody works on the job any more, for example because its process was killed. */
  isJobLost(jobId: string): Promise<boolean>
  /** Why a video could not be submitted, in a sentence for researchers; undefined: nothing they need to know. */
  explain(error: unknown): string | undefined
}

/** How long an instance may take to submit a video before another one tries; renewed while it does. */
const claimMs = 120_000
const retryAfterMs = 30_000
const submittedAtOnce = 4
const maxJobsChecked = 500

/** V5–V8: from the stored original to HLS output, as functions and transcoders report it. */
export function createTranscoding(
  lifecycle: VideoLifecycle,
  { submitOriginal, isJobLost, explain }: TranscodingDeps,
) {
  const { store, objects, clock, onBackgroundError } = lifecycle
  const submitting = new Set<string>()
  let isStopped = false

  async function submit(video: Video, handOver: NonNullable<typeof submitOriginal>): Promise<void> {
    const { videoId } = video
    if (submitting.has(videoId)) return
    submitting.add(videoId)
    try {
      await handOver(video)
    } catch (error) {
      onBackgroundError(error)
      await lifecycle.change(videoId, { kind: 'noted', note: explain(error) ?? null })
      await store.postpone([videoId], clock.now() + retryAfterMs)
    } finally {
      submitting.delete(videoId)
    }
  }

  /** Claimed in SQL, so that of several instances one submits; what an instance drops by dying is due again later. */
  async function submitDue(): Promise<void> {
    if (!submitOriginal) return
    while (!isStopped) {
      const now = clock.now()
      const due = await store.claimPending({ now, until: now + claimMs, limit: submittedAtOnce })
      if (due.length === 0) return
      const outcomes = await Promise.allSettled(due.map((video) => submit(video, submitOriginal)))
      for (const outcome of outcomes) if (outcome.status === 'rejected') onBackgroundError(outcome.reason)
    }
  }

  async function restartLost(): Promise<void> {
    if (!submitOriginal) return
    for (const { videoId, jobId } of await store.inTranscoding(maxJobsChecked))
      if (await isJobLost(jobId)) await lifecycle.change(videoId, { kind: 'lost', jobId })
  }

  const isStored = async (key: string): Promise<boolean> =>
    (await objects((blobs) => blobs.head(key))) !== undefined

  async function outcomeOf(videoId: string, report: HlsComplete): Promise<Outcome> {
    if (report.status === 'failed') return { status: 'failed', error: report.error ?? null }
    const { hlsManifestKey: manifestKey, outputs } = report
    if (!manifestKey.startsWith(objectKeys.hlsPrefix(videoId)))
      throw validationFailed([
        { path: '/hlsManifestKey', message: `must begin with ${objectKeys.hlsPrefix(videoId)}` },
      ])
    const hasPoster = lifecycle.hasObjects && (await isStored(objectKeys.poster(videoId)))
    return { status: 'ready', manifestKey, hasPoster, ...outputFactsOf(outputs) }
  }

  return {
    /** In the background; the sweep does it too. */
    submitSoon: (): void => void submitDue().catch(onBackgroundError),

    async submitted(videoId: string, job: HlsSubmitted): Promise<void> {
      await lifecycle.change(videoId, { kind: 'submitted', at: clock.now(), ...job })
    },

    async progressed(videoId: string, report: { jobId: string; progress: number }): Promise<void> {
      await lifecycle.change(videoId, { kind: 'progressed', ...report })
    },

    async completed(videoId: string, report: HlsComplete): Promise<void> {
      const outcome = await outcomeOf(videoId, report)
      await lifecycle.change(videoId, {
        kind: 'completed',
        at: clock.now(),
        jobId: report.jobId ?? null,
        outcome,
      })
    },

    async sweep(): Promise<void> {
      if (submitting.size > 0) await store.postpone([...submitting], clock.now() + claimMs)
      await restartLost()
      await submitDue()
    },

    stop(): void {
      isStopped = true
    },
  }
}

/** What a transcoder's own report of its outputs tells us. It is whatever the transcoder sends, so nothing is required. */
interface OutputFacts {
  levels: LevelName[]
  durationMs: number | null
}

/** The report may be a megabyte of anything; ours has four outputs. */
const maxOutputs = 100
const longestMs = 8_640_000_000

/** Reads `outputGroupDetails` of MediaConvert's job events, whose shape our own transcoders share. */
export function outputFactsOf(outputs: readonly unknown[] = []): OutputFacts {
  const details = outputs
    .slice(0, maxOutputs)
    .flatMap((group) => listIn(group, 'outputDetails').slice(0, maxOutputs))
  const paths = details.flatMap((output) => listIn(output, 'outputFilePaths').slice(0, maxOutputs))
  const named = new Set(
    paths.flatMap((path) =>
      typeof path === 'string' ? [/_(\d{3,4}p)\.m3u8$/.exec(path.slice(-64))?.[1]] : [],
    ),
  )
  const durations = details.map((output) => fieldOf(output, 'durationInMs')).filter(isDuration)
  return {
    levels: levelNames.filter((name) => named.has(name)),
    durationMs: durations.length > 0 ? Math.round(Math.max(...durations)) : null,
  }
}

const isDuration = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= longestMs

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

function listIn(value: unknown, name: string): unknown[] {
  const list = fieldOf(value, name)
  return Array.isArray(list) ? list : []
}
