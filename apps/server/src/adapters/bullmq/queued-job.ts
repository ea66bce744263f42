import { levelNames, type TranscodeJob } from '@atrium/contract'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

const Outcome = Type.Union([
  Type.Object({ status: Type.Literal('COMPLETE'), outputGroupDetails: Type.Array(Type.Unknown()) }),
  Type.Object({ status: Type.Literal('ERROR'), errorMessage: Type.String() }),
])
export type Outcome = Type.Static<typeof Outcome>

const Source = Type.Object({
  durationMs: Type.Union([Type.Number(), Type.Null()]),
  width: Type.Number(),
  height: Type.Number(),
  hasAudio: Type.Boolean(),
})

/** What the queue keeps of a job. It survives the worker. */
const QueuedJob = Type.Object({
  videoId: Type.String(),
  storageKey: Type.String(),
  levels: Type.Array(Type.Enum(levelNames)),
  source: Source,
  requestToken: Type.String(),
  /** Runs that were begun and not handed back. */
  runs: Type.Integer({ minimum: 0 }),
  /** How the job ended, and when, until the server knows. */
  ended: Type.Optional(Type.Object({ at: Type.Number(), outcome: Outcome })),
})
export type QueuedJob = Type.Static<typeof QueuedJob>

const QueuedProbe = Type.Object({ storageKey: Type.String() })
export type QueuedProbe = Type.Static<typeof QueuedProbe>

/** What a worker returns for a probe. */
const ProbeAnswer = Type.Union([
  Type.Object({ source: Source }),
  Type.Object({ unusable: Type.String({ description: 'A sentence for researchers' }) }),
])
export type ProbeAnswer = Type.Static<typeof ProbeAnswer>

const compiled = {
  job: Compile(QueuedJob),
  probe: Compile(QueuedProbe),
  answer: Compile(ProbeAnswer),
}

/** Undefined for what another version of this program may have left in the queue. */
export const parseQueuedJob = (value: unknown): QueuedJob | undefined =>
  compiled.job.Check(value) ? value : undefined
export const parseQueuedProbe = (value: unknown): QueuedProbe | undefined =>
  compiled.probe.Check(value) ? value : undefined
export const parseProbeAnswer = (value: unknown): ProbeAnswer | undefined =>
  compiled.answer.Check(value) ? value : undefined

export const newQueuedJob = (job: TranscodeJob): QueuedJob => ({ ...job, levels: [...job.levels], runs: 0 })
