import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { posterName } from '../ladder/file-names.ts'
import type { Tools } from '../programs/tools.ts'
import type { Variant } from './variant.ts'

const width = 640
/** Most videos that begin black show something within half a minute. */
const maxSegments = 5
/** The brightest tenth of the picture, so that the bars beside a portrait do not count. 16 is black. */
const isLit = 'signalstats,metadata=mode=select:key=lavfi.signalstats.YHIGH:value=40:function=greater'

/**
 * The first frame that is not black, or else the very first, as a JPEG in the folder. Taken from the best level, where it
 * is already turned and padded as players show it. False if there is none: a video plays without a poster too.
 */
export async function makePoster(
  tools: Tools,
  best: Variant | undefined,
  options: { folder: string; signal: AbortSignal },
): Promise<boolean> {
  const names = (best?.segments ?? []).slice(0, maxSegments).map(({ name }) => name)
  const attempts = [...names.map((name) => ({ name, filter: `,${isLit}` })), { name: names[0], filter: '' }]
  for (const { name, filter } of attempts) {
    const input = [
      '-nostdin',
      '-v',
      'error',
      '-y',
      '-f',
      'mpegts',
      '-protocol_whitelist',
      'file',
      '-i',
      `file:${name}`,
    ]
    const picture = ['-vf', `scale=${width}:-2${filter}`, '-frames:v', '1', '-q:v', '4']
    await tools.ffmpeg([...input, ...picture, '-f', 'image2', '-update', '1', posterName], options)
    if (await hasContent(join(options.folder, posterName))) return true
  }
  return false
}

const hasContent = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => ({ size: 0 }))).size > 0
