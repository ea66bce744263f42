import { S3Error } from '../http/s3-error.ts'

export interface PlaceLimits {
  /** Bodies that are received at the same time; each needs about half a MiB of memory. */
  concurrentUploads: number
  /** Of these, bodies for one object. Our uploader sends four parts at once, others up to ten. */
  uploadsPerObject: number
  /** Of these, bodies for one part: one that is repeated, and one whose client has gone without a word. */
  uploadsPerPart: number
}

/** A body that is being received. */
export interface Place {
  /** Aborted when the place was given to somebody else. */
  readonly lost: AbortSignal
  received(bytes: number): void
  leave(): void
}

interface Taken {
  object: string
  part: string
  since: number
  receivedBytes: number
  loss: AbortController
}

/** Below this, a part of 100 MiB takes longer than 25 minutes. */
const slowBytesPerSecond = 65_536
/** Ten attempts of our uploader then last longer than the minute in which dead connections are noticed. */
const retryAfterSeconds = 10

const slowDown = (): S3Error => new S3Error('SlowDown', undefined, { 'retry-after': `${retryAfterSeconds}` })
const bytesPerSecond = ({ receivedBytes, since }: Taken, now: number): number =>
  receivedBytes / Math.max(1, (now - since) / 1000)

/**
 * Places for the bodies of people to whom we gave an address. Nobody can keep others out by being slow: when all places
 * are taken, a body that has been slow for `patienceMs` gives way to an object that has fewer places than its own.
 */
export function createPlaces(limits: PlaceLimits, patienceMs: number) {
  const taken = new Set<Taken>()
  const placesOf = (object: string): number => [...taken].filter((one) => one.object === object).length

  function makeRoomFor(object: string, now: number): void {
    const held = new Map<string, number>()
    for (const one of taken) held.set(one.object, (held.get(one.object) ?? 0) + 1)
    const placesBeside = ({ object }: Taken): number => held.get(object) ?? 0
    const [first] = [...taken]
      .filter((one) => placesBeside(one) > (held.get(object) ?? 0))
      .filter((one) => now - one.since >= patienceMs && bytesPerSecond(one, now) < slowBytesPerSecond)
      .toSorted(
        (one, other) =>
          placesBeside(other) - placesBeside(one) || bytesPerSecond(one, now) - bytesPerSecond(other, now),
      )
    if (!first) throw slowDown()
    taken.delete(first)
    first.loss.abort(slowDown())
  }

  return {
    /** Throws SlowDown if there is no place for a body of this part of this object. */
    take({ object, part }: { object: string; part: string }, now: number): Place {
      const sameParts = [...taken].filter((one) => one.object === object && one.part === part)
      if (sameParts.length >= limits.uploadsPerPart || placesOf(object) >= limits.uploadsPerObject)
        throw slowDown()
      if (taken.size >= limits.concurrentUploads) makeRoomFor(object, now)
      const place: Taken = { object, part, since: now, receivedBytes: 0, loss: new AbortController() }
      taken.add(place)
      return {
        lost: place.loss.signal,
        received(bytes) {
          place.receivedBytes += bytes
        },
        leave: () => void taken.delete(place),
      }
    },
  }
}
