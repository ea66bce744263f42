import { AppError } from '../../kernel/app-error.ts'

export interface ReaderLimits {
  /** Fewer than the connections to the object store that are kept for reading. */
  atOnce: number
  /** A lecture hall shares one address, and in step everybody fetches the same segment at the same moment. */
  ofOneAddress: number
  /** A player needs a segment every six seconds; one that takes longer than this for it cannot play. */
  patienceMs: number
}

export const readerLimits: ReaderLimits = { atOnce: 1_000, ofOneAddress: 500, patienceMs: 30_000 }

interface Reader {
  address: string
  since: number
  end(): void
}

/**
 * Those who are being sent output. Somebody who does not read holds a connection to the object store, so there is a
 * limit to them; the one who has been at it for longest gives way.
 */
export function createReaders({ atOnce, ofOneAddress, patienceMs }: ReaderLimits) {
  // In the order in which they came.
  const readers = new Set<Reader>()
  const tooMany = (): AppError =>
    new AppError('UNAVAILABLE', {}, 'Too many people are watching at the moment.')

  function makeRoom(among: Reader[], max: number, now: number): void {
    if (among.length < max) return
    const [oldest] = among
    if (!oldest || now - oldest.since < patienceMs) throw tooMany()
    readers.delete(oldest)
    oldest.end()
  }

  return {
    /** `end` is called if somebody else needs the place. Returns a function to call when all is sent. */
    enter(address: string, now: number, end: () => void): () => void {
      makeRoom(
        [...readers].filter((reader) => reader.address === address),
        ofOneAddress,
        now,
      )
      makeRoom([...readers], atOnce, now)
      const reader = { address, since: now, end }
      readers.add(reader)
      return () => void readers.delete(reader)
    },
  }
}
