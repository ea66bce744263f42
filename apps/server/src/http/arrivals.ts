import { statfs } from 'node:fs/promises'
import { AppError } from '../kernel/app-error.ts'

/** Each holds a file of up to 100 MiB; larger ones go to the object store without us. */
const mostAtOnce = 16
/** So that nobody can keep others out. */
const mostOfOneSender = 4

export interface ArrivalRules {
  /** Where files are kept meanwhile. */
  folder: string
  /** Files must leave this much of the folder's disk to others, for example to the database of a running study. */
  keepFreeBytes: number
}

interface Arrival {
  sender: string
  bytes: number
}

/** Free bytes for an unprivileged user on the folder's disk. */
async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Decides who may send a file now. */
export function createArrivals({ folder, keepFreeBytes }: ArrivalRules, freeBytes = freeBytesIn) {
  const arrivals = new Set<Arrival>()

  async function requireSpace(): Promise<void> {
    const free = await freeBytes(folder)
    const expected = [...arrivals].reduce((total, { bytes }) => total + bytes, 0)
    // What has already arrived is counted twice. Refusing a little early is better than late.
    if (free - expected < keepFreeBytes) throw new AppError('STORAGE_FULL')
  }

  return {
    /** Throws unless a file of this many bytes may come. Returns a function to call once it is gone from the disk. */
    async admit(sender: string, bytes: number): Promise<() => void> {
      const sameSender = [...arrivals].filter((arrival) => arrival.sender === sender)
      if (sameSender.length >= mostOfOneSender)
        throw tooMany(`You are already sending ${mostOfOneSender} files. Try again when one has arrived.`)
      if (arrivals.size >= mostAtOnce)
        throw tooMany('Too many files are arriving at the moment. Try again shortly.')
      const arrival = { sender, bytes }
      const leave = (): void => void arrivals.delete(arrival)
      arrivals.add(arrival)
      try {
        await requireSpace()
        return leave
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

const tooMany = (message: string): AppError => new AppError('UNAVAILABLE', {}, message)
