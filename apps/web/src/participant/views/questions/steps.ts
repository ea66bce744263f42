interface Steps {
  min: number
  max: number
  step: number
}

/** The nearest allowed value. Steps are counted from the low end, as browsers do. */
export function onStep(value: number, { min, max, step }: Steps): number {
  const steps = Math.min(Math.round((value - min) / step), Math.floor((max - min) / step + 1e-9))
  // 3 × 0.1 is 0.30000000000000004.
  return Number((min + Math.max(0, steps) * step).toPrecision(12))
}

/** Without steps, a thousand positions are enough. */
export const onLine = (value: number, { min, max }: { min: number; max: number }): number =>
  onStep(value, { min, max, step: (max - min) / 1_000 })

/** Where the line has numbers: at both ends, and at every tick in between, counted from the low end. */
export function marksOf({
  min,
  max,
  ticks,
}: {
  min: number
  max: number
  ticks: number | undefined
}): number[] {
  if (ticks === undefined) return [min, max]
  const last = Math.floor((max - min) / ticks + 1e-9)
  const marks = Array.from({ length: last + 1 }, (_, index) =>
    onStep(min + index * ticks, { min, max, step: ticks }),
  )
  return marks.at(-1) === max ? marks : [...marks, max]
}
