import type { DeviceReport, ParadataKind } from '@atrium/contract'
import { hasChanged } from './describe-device.ts'

/** Somebody who drags the edge of a window is not to fill the queue of events. */
const maxReports = 20
/** A window that is being resized or turned is described once it has settled. */
const settledAfterMs = 1_000

export interface DeviceReporterDeps {
  kinds: readonly ParadataKind[]
  describe(): DeviceReport
  networkDelayMs(): number | undefined
  report(data: DeviceReport): void
  after(delayMs: number, act: () => void): () => void
}

/** R93: reports the device once, and again when something of it has changed. */
export function createDeviceReporter({ kinds, describe, networkDelayMs, report, after }: DeviceReporterDeps) {
  let last = look()
  let sent = 0
  let cancel = (): void => undefined

  function look(): DeviceReport {
    const delayMs = networkDelayMs()
    return {
      ...(kinds.includes('device') && describe()),
      ...(kinds.includes('network') && delayMs !== undefined && { networkDelayMs: delayMs }),
    }
  }

  function send(): void {
    if (Object.keys(last).length === 0) return
    sent++
    report(last)
  }
  send()

  return {
    /** Something may have changed. */
    changed(): void {
      if (sent >= maxReports) return
      cancel()
      cancel = after(settledAfterMs, () => {
        const now = look()
        if (!hasChanged(last, now)) return
        last = now
        send()
      })
    },
    stop: (): void => cancel(),
  }
}
