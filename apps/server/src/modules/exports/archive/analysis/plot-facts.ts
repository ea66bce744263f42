import { declaredColumns, snakeName } from '@atrium/contract'
import { responseTimeBoundsMs, waitBoundsMs } from '../../../experiments/index.ts'

/** What the scripts need to know to draw the plots that the console draws. */
export interface PlotFacts {
  /** The column of response times. */
  responseTime: string
  responseTimeBoundsMs: readonly number[]
  waitBoundsMs: readonly number[]
}

export function plotFacts(): PlotFacts {
  const names = declaredColumns('responses').map(({ name }) => name)
  const responseTime = names.find((name) => name.startsWith('responseTime')) ?? ''
  return { responseTime: snakeName(responseTime), responseTimeBoundsMs, waitBoundsMs }
}
