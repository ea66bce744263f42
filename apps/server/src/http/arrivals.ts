import { statfs } from 'node:fs/promises'
import { AppError } from '../kernel/app-error.ts'
import { beginUpload, lookAt, type Upload, type Uploader, whoYields } from './upload-shares.ts'

/** Four of one person at once: a page uploads one after another, and nobody needs more. */
const maxOfOneSender = 4
/** An upload that was too slow at two looks in a row is cut off. */
const usualLookEveryMs = 15_000

export interface ArrivalRules {
  /** Where files are kept meanwhile. */
  folder: string
  /** Files must leave this much of the folder's disk to others, for example to the database of a running study. */
  keepFreeBytes: number
  /** How many arrive at the same time. */
  places: number
}

/** The place of a file that is arriving, or that has arrived and is being stored. */
export interface Place {
  /** Aborted, with what the sender is told, when the place is taken away. */
  readonly lost: AbortSignal
  received(bytes: number): void
  /** All of it has arrived: nobody can take the place away any more. */
  arrived(): void
  leave(): void
}

interface Arrival {
  upload: Upload
  expectedBytes: number
  isArriving: boolean
  lost: AbortController
  looks: NodeJS.Timeout
}

interface ArrivalDeps {
  /** Free bytes for an unprivileged user on the folder's disk. */
  freeBytes(folder: string): Promise<number>
  lookEveryMs: number
  nowMs(): number
}

const usualDeps: ArrivalDeps = {
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  },
  lookEveryMs: usualLookEveryMs,
  nowMs: () => performance.now(),
}

/** Decides who may send a file now. Who yields is decided in `upload-shares.ts`. */
export function createArrivals(rules: ArrivalRules, deps: Partial<ArrivalDeps> = {}) {
  const { folder, keepFreeBytes, places } = rules
  const { freeBytes, lookEveryMs, nowMs } = { ...usualDeps, ...deps }
  const arrivals = new Set<Arrival>()

  async function requireSpace(): Promise<void> {
    const free = await freeBytes(folder)
    const expected = [...arrivals].reduce((total, { expectedBytes }) => total + expectedBytes, 0)
    // What has already arrived is counted twice. Refusing a little early is better than late.
    if (free - expected < keepFreeBytes) throw new AppError('STORAGE_FULL')
  }

  function leave(arrival: Arrival): void {
    settle(arrival)
    arrivals.delete(arrival)
  }

  function takeAway(arrival: Arrival, refusal: AppError): void {
    leave(arrival)
    arrival.lost.abort(refusal)
  }

  function requirePlace(uploader: Uploader): void {
    const ofSender = [...arrivals].filter(({ upload }) => upload.sender === uploader.sender)
    if (ofSender.length >= maxOfOneSender)
      throw unavailable(`You are already sending ${maxOfOneSender} files. Try again when one has arrived.`)
    if (arrivals.size < places) return
    const arriving = [...arrivals].filter(({ isArriving }) => isArriving)
    const yielding = whoYields(
      arriving.map(({ upload }) => upload),
      uploader,
      nowMs(),
    )
    const loser = arriving.find(({ upload }) => upload === yielding)
    if (!loser) throw unavailable('Too many files are arriving at the moment. Try again shortly.')
    takeAway(
      loser,
      unavailable('Others had to send a file as well, and yours was the slowest. Send it again.'),
    )
  }

  function begin(uploader: Uploader, expectedBytes: number): Arrival {
    const look = (): void => {
      const { isOver, ...upload } = lookAt(arrival.upload, nowMs())
      arrival.upload = upload
      if (isOver) takeAway(arrival, new AppError('REQUEST_TIMEOUT'))
    }
    const looks = setInterval(look, lookEveryMs)
    const lost = new AbortController()
    const upload = beginUpload(uploader, nowMs())
    const arrival: Arrival = { upload, expectedBytes, isArriving: true, lost, looks }
    arrivals.add(arrival)
    return arrival
  }

  return {
    /** Throws unless a file of this many bytes may come. */
    async admit(uploader: Uploader, bytes: number): Promise<Place> {
      requirePlace(uploader)
      const arrival = begin(uploader, bytes)
      try {
        await requireSpace()
      } catch (error) {
        leave(arrival)
        throw error
      }
      return {
        lost: arrival.lost.signal,
        received: (more) => {
          arrival.upload = { ...arrival.upload, receivedBytes: arrival.upload.receivedBytes + more }
        },
        arrived: () => settle(arrival),
        leave: () => leave(arrival),
      }
    },
  }
}

function settle(arrival: Arrival): void {
  arrival.isArriving = false
  clearInterval(arrival.looks)
}

const unavailable = (message: string): AppError => new AppError('UNAVAILABLE', {}, message)
