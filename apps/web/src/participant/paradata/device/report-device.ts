import type { DeviceReport, ParadataKind } from '@atrium/contract'
import { hasChanged } from './describe-device.ts'

/** Somebody who drags the edge of a window is not to fill the queue of events. */
const mostReports = 20
/** A window that is being resized or turned is described once it has settled. */
const settledAfterMs = 1_000
/** The delay of the network may be unknown until the room has been heard. */
const longestWaitMs = 5_000

export interface DeviceReporterDeps {
  kinds: readonly ParadataKind[]
  describe(): DeviceReport
  networkDelayMs(): number | undefined
  report(data: DeviceReport): void
  after(delayMs: number, act: () => void): () => void
}

/** R93: reports the device once, and again when something of it has changed. */
export function createDeviceReporter({ kinds, describe, networkDelayMs, report, after }: DeviceReporterDeps) {
  let last: DeviceReport | undefined
  let sent = 0
  let cancel = (): void => undefined

  function send(now: DeviceReport): void {
    last = now
    if (Object.keys(now).length === 0) return
    sent++
    report(now)
  }

  function look(): DeviceReport {
    const delayMs = networkDelayMs()
    return {
      ...(kinds.includes('device') && describe()),
      ...(kinds.includes('network') && delayMs !== undefined && { networkDelayMs: delayMs }),
    }
  }

  function begin(waitedMs: number): void {
    const isUnknown = kinds.includes('network') && networkDelayMs() === undefined
    if (!isUnknown || waitedMs >= longestWaitMs) send(look())
    else cancel = after(settledAfterMs, () => begin(waitedMs + settledAfterMs))
  }
  begin(0)

  return {
    /** Something may have changed. */
    changed(): void {
      if (!last || sent >= mostReports) return
      cancel()
      cancel = after(settledAfterMs, () => {
        const now = look()
        if (last && hasChanged(last, now)) send(now)
      })
    },
    stop: (): void => cancel(),
  }
}
