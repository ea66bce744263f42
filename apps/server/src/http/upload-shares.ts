/** Whose an upload is, from the widest share to the narrowest. */
export interface Uploader {
  /** The experiment that it is for; the same text for all uploads that are for none. */
  study: string
  address: string
  /** The same for all requests of one person. */
  sender: string
}

/** An upload that is arriving. */
export interface Upload extends Uploader {
  startedAtMs: number
  receivedBytes: number
  /** What had been received at the last look but one, from which the pace is measured. */
  before: Mark
  last: Mark
  slowLooks: number
}

interface Mark {
  atMs: number
  bytes: number
}

/** A modem is five times as fast. */
const minBytesPerSecond = 1_024
/**
 * While there is no place for others, everybody should at least be this fast: three quarters of 256 kbit/s, what phones have left
 * once their fast volume is used up.
 */
const minWhenFullBytesPerSecond = 24_000
/** A connection that was just opened, perhaps by a radio that had to wake up, has no pace yet. */
const graceMs = 10_000

export const beginUpload = ({ study, address, sender }: Uploader, nowMs: number): Upload => {
  const start = { atMs: nowMs, bytes: 0 }
  return {
    study,
    address,
    sender,
    startedAtMs: nowMs,
    receivedBytes: 0,
    before: start,
    last: start,
    slowLooks: 0,
  }
}

/** Bytes a second between the last look but one and now, so that nobody lives on what they sent long ago. */
export const paceOf = ({ receivedBytes, before }: Upload, nowMs: number): number =>
  ((receivedBytes - before.bytes) * 1_000) / Math.max(1, nowMs - before.atMs)

/**
 * The upload after somebody has looked at it. It is over when it was too slow for two looks in a row. Two, because timers come
 * first: after the process was busy, what has arrived meanwhile is seen only after the first look.
 */
export function lookAt(upload: Upload, nowMs: number): Upload & { isOver: boolean } {
  const slowLooks = paceOf(upload, nowMs) < minBytesPerSecond ? upload.slowLooks + 1 : 0
  const last = { atMs: nowMs, bytes: upload.receivedBytes }
  return { ...upload, before: upload.last, last, slowLooks, isOver: slowLooks >= 2 }
}

const shares = ['study', 'address', 'sender'] as const

/**
 * When all places are taken: which upload yields its place to a newcomer, if any. Where a study has at least two places more
 * than the newcomer's, one of its uploads does; among studies that have no more than one, the addresses are compared in
 * the same way, then the people. So nobody keeps others out by sending more, and every exchange makes the shares more
 * equal: people who come back after they have yielded do not take turns for ever. Those who are alone in sending, such as a
 * classroom behind one address, are not the worse for it. If all shares are equal, the slowest yields if it is slow.
 */
export function whoYields<Known extends Upload>(
  uploads: readonly Known[],
  newcomer: Uploader,
  nowMs: number,
): Known | undefined {
  let rivals = uploads
  for (const [level, share] of shares.entries()) {
    const placesOf = countBy(uploads, share)
    const own = placesOf(newcomer)
    const max = Math.max(0, ...rivals.map(placesOf))
    if (max >= own + 2) return slowestOf(greediestOf(uploads, rivals, shares.slice(level)), nowMs)
    rivals = rivals.filter((rival) => rival[share] === newcomer[share] || placesOf(rival) > own)
  }
  const slowest = slowestOf(rivals, nowMs)
  const isSlow = slowest && hasPace(slowest, nowMs) && paceOf(slowest, nowMs) < minWhenFullBytesPerSecond
  return isSlow ? slowest : undefined
}

/** Of the study that has most, those of the address that has most, and of these those of the person. */
const greediestOf = <Known extends Upload>(
  uploads: readonly Known[],
  rivals: readonly Known[],
  levels: readonly (keyof Uploader)[],
): readonly Known[] =>
  levels.reduce((left, share) => {
    const placesOf = countBy(uploads, share)
    const max = Math.max(...left.map(placesOf))
    return left.filter((upload) => placesOf(upload) === max)
  }, rivals)

function countBy(uploads: readonly Uploader[], share: keyof Uploader): (uploader: Uploader) => number {
  const places = Map.groupBy(uploads, (upload) => upload[share])
  return (uploader) => places.get(uploader[share])?.length ?? 0
}

const hasPace = ({ startedAtMs }: Upload, nowMs: number): boolean => nowMs - startedAtMs >= graceMs

/** Of uploads that have no pace yet, the newest: it loses least. */
function slowestOf<Known extends Upload>(uploads: readonly Known[], nowMs: number): Known | undefined {
  const paced = uploads.filter((upload) => hasPace(upload, nowMs))
  return paced.length > 0
    ? paced.toSorted((a, b) => paceOf(a, nowMs) - paceOf(b, nowMs))[0]
    : uploads.toSorted((a, b) => b.startedAtMs - a.startedAtMs)[0]
}
