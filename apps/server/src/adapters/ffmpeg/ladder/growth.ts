import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { QualityLevel } from '@atrium/contract'
import { UnusableSource } from '../../../ports/transcoder.ts'
import { outputBytes } from '../disk-space.ts'
import type { Film } from '../source/film.ts'
import { latestEndMs } from '../source/truncation.ts'

/** Bit rates are constant, so that an honest film stays well below. */
const tolerance = 1.5

/**
 * Rejects if the segments in the folder are larger than those of any film of this length can be. ffmpeg begins its filters
 * anew when sound changes within a film; one that does it thousands of times could make hours of silence out of seconds.
 */
export async function refuseOutgrown(
  folder: string,
  film: Film,
  ladder: readonly QualityLevel[],
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => extname(name) === '.ts')
  let bytes = 0
  for (const name of names) bytes += (await stat(join(folder, name))).size
  if (bytes > outputBytes(latestEndMs(film), ladder) * tolerance)
    throw new UnusableSource(
      'This film becomes far longer than it says when it is transcoded. It is probably damaged. Please export it again as MP4 (H.264) and upload it.',
    )
}
