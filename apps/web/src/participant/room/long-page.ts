import type { ComponentView } from '@atrium/contract'
import { targetsOf } from '@atrium/contract/components'

/** Pages with more parts lay out only what is on the screen. */
const longFrom = 20

/** R62: what is asked about each of the others is as many parts as there are others. */
export const isLongPage = (shown: readonly ComponentView[]): boolean =>
  shown.reduce((parts, one) => parts + (targetsOf(one)?.length ?? 1), 0) > longFrom
