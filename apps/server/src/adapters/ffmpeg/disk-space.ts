import { statfs } from 'node:fs/promises'
import { hlsOutput, type QualityLevel } from '@atrium/contract'
import { TranscodeFailed } from './failures.ts'

/** Left free for everything else on the disk: a full one would stop the platform. */
const reserveBytes = 512 * 2 ** 20
/** Of MPEG transport streams at these bit rates: 7 % measured at 800 kbit/s, less above. */
const overhead = 1.1

/** What the output of a video takes, at constant bit rates. */
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

/** The disk as one job sees it. Whatever rejects does so with a sentence for the researcher. */
export interface JobSpace {
  /** For the next step, in place of what was reserved before. Rejects if the disk has no room for it. */
  reserve(bytes: number): Promise<void>
  /** How much of what was reserved is yet to be written. */
  remaining(bytes: number): void
  /** Rejects if the disk is nearly full all the same: others write to it too. */
  check(): Promise<void>
  release(): void
}

/**
 * The disk that the jobs of this process share. What they have reserved and not yet written is still free by the disk's
 * own account, so that two jobs that begin at once would both believe that there is room for them.
 */
export function createDiskSpace(free: (folder: string) => Promise<number>) {
  const yetToWrite = new Map<object, number>()

  return {
    forJob(folder: string): JobSpace {
      const job = {}
      return {
        async reserve(bytes) {
          yetToWrite.delete(job)
          const freeNow = await free(folder)
          // Nothing is awaited from here on, so that no other job comes between.
          const promised = [...yetToWrite.values()].reduce((total, others) => total + others, 0)
          if (freeNow - promised < bytes + reserveBytes) throw noSpace(bytes)
          yetToWrite.set(job, bytes)
        },
        remaining(bytes) {
          if (yetToWrite.has(job)) yetToWrite.set(job, Math.max(0, bytes))
        },
        async check() {
          if ((await free(folder)) < reserveBytes) throw noSpace(0)
        },
        release: () => void yetToWrite.delete(job),
      }
    },
  }
}

function noSpace(neededBytes: number): TranscodeFailed {
  const amount = neededBytes > 0 ? ` (${(neededBytes / 1e9).toFixed(1)} GB are needed)` : ''
  return new TranscodeFailed(
    `There is not enough free disk space on the server to transcode this video${amount}. Please tell an administrator.`,
  )
}
