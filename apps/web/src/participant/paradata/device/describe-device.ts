import type { DeviceReport } from '@atrium/contract'
import { type BrowserTraits, familiesOf } from './families.ts'

/** The part of a window that is looked at. */
export interface DeviceWindow {
  innerWidth: number
  innerHeight: number
  devicePixelRatio: number
  matchMedia(query: string): { matches: boolean }
  navigator: BrowserTraits & { language: string }
  timeZone(): string
}

/** R93: as little as tells devices apart by kind; what a browser says in another form is left out. */
export function describeDevice(window: DeviceWindow): DeviceReport {
  const { navigator, innerWidth, innerHeight, devicePixelRatio } = window
  const timeZone = window.timeZone()
  return {
    ...familiesOf(navigator),
    viewportWidth: pixelsOf(innerWidth),
    viewportHeight: pixelsOf(innerHeight),
    ...(devicePixelRatio >= 0 && { pixelRatio: Math.min(100, Math.round(devicePixelRatio * 100) / 100) }),
    inputKind: inputKindOf((feature) => window.matchMedia(`(${feature})`).matches),
    ...(/^[A-Za-z0-9-]{1,35}$/.test(navigator.language) && { deviceLanguage: navigator.language }),
    ...(/^[A-Za-z0-9_+/-]{1,64}$/.test(timeZone) && { timeZone }),
  }
}

const pixelsOf = (pixels: number): number => Math.min(100_000, Math.max(0, Math.round(pixels)))

/** Some phones say that their touch screen is also fine, but only what hovers is a pointer of its own. */
function inputKindOf(has: (feature: string) => boolean): NonNullable<DeviceReport['inputKind']> {
  const isTouch = has('any-pointer: coarse')
  const isPointer = has('any-pointer: fine') && (!isTouch || has('any-hover: hover'))
  if (isTouch) return isPointer ? 'both' : 'touch'
  return isPointer ? 'pointer' : 'keyboard'
}

/** By how much a window must have changed to be worth a report. */
const noticeableShare = 0.1

/** Whether somebody turned the device, resized the window or plugged something in: not the bars and keyboards that come and go. */
export function hasChanged(before: DeviceReport, now: DeviceReport): boolean {
  const { viewportWidth: _w, viewportHeight: _h, networkDelayMs: _d, ...kind } = now
  if (Object.entries(kind).some(([name, value]) => before[name as keyof DeviceReport] !== value)) return true
  const differs = (one = 0, other = 0) => Math.abs(one - other) > noticeableShare * Math.max(one, other)
  // With a touch screen, the height follows the keyboard.
  const isHeightSteady = now.inputKind === 'pointer'
  return (
    differs(before.viewportWidth, now.viewportWidth) ||
    (isHeightSteady && differs(before.viewportHeight, now.viewportHeight))
  )
}
