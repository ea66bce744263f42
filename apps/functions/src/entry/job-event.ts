import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Delivered } from '../backend.ts'
import { type EndedJob, type JobEndedDeps, jobEnded } from '../job-ended.ts'

const JobStateChange = Compile(
  Type.Object({
    source: Type.Literal('aws.mediaconvert'),
    'detail-type': Type.Literal('MediaConvert Job State Change'),
    time: Type.Optional(Type.String({ maxLength: 64 })),
    detail: Type.Object({
      status: Type.String({ maxLength: 64 }),
      jobId: Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' }),
      userMetadata: Type.Object({ videoId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) }),
      errorMessage: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      outputGroupDetails: Type.Optional(Type.Array(Type.Unknown())),
      jobProgress: Type.Optional(Type.Object({ jobPercentComplete: Type.Optional(Type.Number()) })),
    }),
  }),
)

export interface JobEventDeps extends JobEndedDeps {
  postProgress(videoId: string, body: { jobId: string; progress: number }): Promise<Delivered>
}

/** Handles a state change of a job. R33: of all states, only its end and its progress are told. */
export async function handleJobEvent(event: unknown, deps: JobEventDeps): Promise<void> {
  const { log } = deps
  if (!JobStateChange.Check(event)) return log.info({}, 'the event is not of one of our jobs')
  const { time, detail } = event
  const { jobId, userMetadata, status, errorMessage, outputGroupDetails, jobProgress } = detail
  const { videoId } = userMetadata
  const end = (outcome: EndedJob['outcome']): Promise<void> =>
    jobEnded({ videoId, jobId, at: timeOf(time), outcome }, deps)
  if (status === 'COMPLETE') return await end({ status, outputGroupDetails })
  if (status === 'ERROR' || status === 'CANCELED') return await end({ status, errorMessage })
  const percent = status === 'STATUS_UPDATE' ? jobProgress?.jobPercentComplete : undefined
  if (percent === undefined) return
  const progress = Math.min(Math.max(percent / 100, 0), 1)
  // Only a figure to look at, and the next one comes soon.
  await deps
    .postProgress(videoId, { jobId, progress })
    .catch((err: unknown) => log.info({ videoId, jobId, err }, 'progress was not reported'))
}

function timeOf(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? undefined : at
}
