/** What cameras, editors and televisions use. */
const customary: Fraction[] = [
  { over: 24_000, under: 1_001 },
  { over: 24, under: 1 },
  { over: 25, under: 1 },
  { over: 30_000, under: 1_001 },
  { over: 30, under: 1 },
  { over: 50, under: 1 },
  { over: 60_000, under: 1_001 },
  { over: 60, under: 1 },
]
/** Browsers decode no more in H.264 reliably. */
const max = 60
/** With fewer, a 6 s segment would start late, and ratings would see the same picture for too long. */
const min = 10
const sameRate = 0.02
const unknownRate: Fraction = { over: 25, under: 1 }

export interface RateFacts {
  /** Number of frames by duration. */
  average: Fraction | undefined
  /** The lowest rate that has a tick for every frame; for interlaced pictures it counts fields. */
  ticks: Fraction | undefined
}

/**
 * The constant rate of the output. A video of a constant rate keeps it exactly, 23.976 as 24000/1001, so that no frame is
 * dropped or shown twice. One of a variable rate gets a customary rate that shows all its frames, as far as there is one.
 */
export function outputRate({ average, ticks }: RateFacts): Fraction {
  const mean = average ?? ticks
  if (mean === undefined) return unknownRate
  if (ticks !== undefined && isClose(mean, ticks)) return withinLimits(ticks)
  const ofTicks = ticks && customary.filter((rate) => isClose(rate, ticks)).toSorted(byDistanceTo(ticks))[0]
  const isFieldRate = ticks !== undefined && isClose({ over: mean.over * 2, under: mean.under }, ticks)
  if (ofTicks !== undefined && !isFieldRate) return ofTicks
  const enough = customary.find((rate) => ratioOf(rate) >= ratioOf(mean) * (1 - sameRate))
  return enough ?? { over: max, under: 1 }
}

const isClose = (a: Fraction, b: Fraction): boolean => Math.abs(ratioOf(a) / ratioOf(b) - 1) < sameRate

const byDistanceTo = (aim: Fraction) => (a: Fraction, b: Fraction) =>
  Math.abs(ratioOf(a) - ratioOf(aim)) - Math.abs(ratioOf(b) - ratioOf(aim))

/** Every nth frame of a fast video, every frame of a slow one n times. */
function withinLimits({ over, under }: Fraction): Fraction {
  const rate = over / under
  if (rate > max) return { over, under: under * Math.ceil(rate / max) }
  return rate < min ? { over: over * Math.ceil(min / rate), under } : { over, under }
}

export interface Fraction {
  over: number
  under: number
}

export const ratioOf = ({ over, under }: Fraction): number => over / under

/** `30000/1001` or `16:9`. Undefined for what is no positive number: ffprobe writes `0/0` for unknown. */
export function parseFraction(text: string | undefined): Fraction | undefined {
  const [, over, under] = /^(\d{1,10})[/:](\d{1,10})$/.exec(text ?? '') ?? []
  const fraction = { over: Number(over), under: Number(under) }
  return fraction.over > 0 && fraction.under > 0 ? fraction : undefined
}
