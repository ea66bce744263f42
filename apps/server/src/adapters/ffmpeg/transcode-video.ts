import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { qualityLevels } from '@atrium/contract'
import type { TranscodeJob } from '../../ports/transcoder.ts'
import { outputBytes } from './disk-space.ts'
import { encodeLadder, type JobContext } from './ladder/encode.ts'
import { posterName } from './ladder/file-names.ts'
import type { EncoderSettings } from './ladder/ladder-command.ts'
import type { ObjectAccess } from './object-access.ts'
import { masterPlaylist } from './output/master.ts'
import { type OutputGroup, outputGroup } from './output/output-group.ts'
import { makePoster } from './output/poster.ts'
import { publish } from './output/publish.ts'
import { sourceName } from './programs/demuxers.ts'
import { downloadWhole, sizeOfOriginal } from './source/download.ts'
import { inspectSource } from './source/inspect.ts'

export interface TranscodeDeps {
  store: ObjectAccess
  bucket: string
  encoder: EncoderSettings
  onProgress(progress: number): void
  warn(facts: Record<string, unknown>, message: string): void
}

/** How the progress of a job divides into its steps. */
const shares = { download: 0.05, encode: 0.85, publish: 0.1 }

/** Downloads, inspects, encodes and publishes a video, in the folder of its job. */
export async function transcodeVideo(
  context: JobContext,
  { videoId, storageKey, levels }: TranscodeJob,
  { store, bucket, encoder, onProgress, warn }: TranscodeDeps,
): Promise<OutputGroup[]> {
  const { tools, folder, signal, space, touch } = context
  const ladder = qualityLevels.filter(({ name }) => levels.includes(name))
  const size = await sizeOfOriginal(store, storageKey)
  const onBytes = (bytes: number) => {
    touch()
    onProgress((bytes / size) * shares.download)
  }
  const file = await downloadWhole({ store, storageKey, folder, signal, space, size, onBytes })
  const probed = await inspectSource(tools, file, context)
  touch()
  const neededBytes = outputBytes(probed.durationMs, ladder)
  await space.reserve(neededBytes)
  const variants = await encodeLadder(context, probed, ladder, {
    settings: encoder,
    onProgress(share) {
      space.remaining(neededBytes * (1 - share))
      onProgress(shares.download + share * shares.encode)
    },
    warn: (facts, message) => warn({ videoId, ...facts }, message),
  })
  // The object store may be on the same disk, and is about to take as much again.
  await rm(join(folder, sourceName))
  const hasPoster = await makePoster(tools, variants.at(-1), context)
  touch()
  await publish({
    store,
    videoId,
    folder,
    names: [
      ...variants.flatMap(({ segments }) => segments.map(({ name }) => name)),
      ...variants.map(({ playlist }) => playlist),
      ...(hasPoster ? [posterName] : []),
    ],
    master: masterPlaylist(variants, probed.video.rate),
    signal,
    warn,
    onStored: (share) => {
      touch()
      onProgress(shares.download + shares.encode + share * shares.publish)
    },
  })
  return [outputGroup(bucket, videoId, variants)]
}
