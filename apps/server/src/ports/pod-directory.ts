import type { PodMetrics } from '@atrium/contract'

/** Which instances there are, as far as they reported. */
export interface PodDirectory {
  report(podId: string, metrics: PodMetrics): Promise<void>
  remove(podId: string): Promise<void>
  list(): Promise<{ podId: string; metrics: PodMetrics }[]>
}
