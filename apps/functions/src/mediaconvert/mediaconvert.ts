import { type Transcoder, UnusableSource } from '@atrium/contract'
import {
  BadRequestException,
  CancelJobCommand,
  ConflictException,
  CreateJobCommand,
  MediaConvertClient,
  type MediaConvertClientConfig,
  NotFoundException,
  ProbeCommand,
  UnprocessableEntityException,
} from '@aws-sdk/client-mediaconvert'
import { type JobPlace, jobRequest } from './job.ts'
import { notAVideo, sourceOf } from './source.ts'

export interface MediaConvertConfig extends JobPlace {
  /** TRANSCODER_ENDPOINT; that of the region if undefined. */
  endpoint?: string | undefined
  /** The SDK finds region and credentials in the environment unless they are given. */
  client?: MediaConvertClientConfig
}

/** AWS Elemental MediaConvert. Its job events reach the callback function through EventBridge. */
export function createMediaConvert({ endpoint, client: settings, ...place }: MediaConvertConfig): Transcoder {
  const client = new MediaConvertClient({ ...settings, ...(endpoint !== undefined && { endpoint }) })
  return {
    async probe(storageKey) {
      const FileUrl = `s3://${place.bucket}/${storageKey}`
      const { ProbeResults = [] } = await client
        .send(new ProbeCommand({ InputFiles: [{ FileUrl }] }))
        .catch(asUnusable)
      return sourceOf(ProbeResults[0])
    },
    async submit(job) {
      const { Job } = await client.send(new CreateJobCommand(jobRequest(job, place))).catch(asUnusable)
      if (!Job?.Id) throw new Error('MediaConvert made a job but did not name it')
      return Job.Id
    },
    async cancel(jobId) {
      try {
        await client.send(new CancelJobCommand({ Id: jobId }))
      } catch (error) {
        // It has ended already, or was never there.
        if (!(error instanceof ConflictException || error instanceof NotFoundException)) throw error
      }
    },
  }
}

/** A request that would be refused again must not be repeated: the video would wait forever. */
function asUnusable(error: unknown): never {
  if (error instanceof UnprocessableEntityException) throw new UnusableSource(notAVideo)
  if (error instanceof BadRequestException)
    throw new UnusableSource(`MediaConvert does not accept this file: ${error.message}`)
  throw error
}
