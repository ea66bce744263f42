import { statfs } from 'node:fs/promises'
import { hlsOutput, type QualityLevel } from '@atrium/contract'
import { TranscodeFailed } from './failures.ts'

/** Left free for everything else on the disk: a full one would stop the platform. */
const reserveBytes = 512 * 2 ** 20
/** Of MPEG transport streams at these bit rates: 7 % measured at 800 kbit/s, less above. */
const overhead = 1.1

/** What the output of a film takes, at constant bit rates. */
export const outputBytes = (durationMs: number, levels: readonly QualityLevel[]): number => {
  const bitsPerSecond = levels.reduce(
    (total, level) => total + level.bitsPerSecond + hlsOutput.audioBitsPerSecond,
    0,
  )
  return Math.ceil((durationMs / 1000) * (bitsPerSecond / 8) * overhead)
}

/** Free bytes for an unprivileged user on the folder's disk. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Rejects with a sentence for the researcher. */
export async function requireSpace(free: Promise<number>, neededBytes: number): Promise<void> {
  if ((await free) >= neededBytes + reserveBytes) return
  const amount = neededBytes > 0 ? ` (${(neededBytes / 1e9).toFixed(1)} GB are needed)` : ''
  throw new TranscodeFailed(
    `There is not enough free disk space on the server to transcode this film${amount}. Please tell an administrator.`,
  )
}
