import {
  type AnswerParadata,
  answerParadata,
  collectedOf,
  type DeviceReport,
  deviceParadata,
  happens,
  type ParadataKind,
  pickOne,
  type Random,
  wholeBetween,
} from '@atrium/contract'

const away = 0.15
const pastes = 0.1
const mistakes = 0.05

/** What a page would say of an answer, so that the columns of a try-out are filled. */
export function measuredOf(value: unknown, kinds: readonly ParadataKind[], random: Random): AnswerParadata {
  const isAway = happens(away, random)
  const measured = {
    focusLostCount: isAway ? 1 : 0,
    focusLostMs: isAway ? wholeBetween(500, 20_000, random) : 0,
    networkDelayMs: wholeBetween(5, 120, random),
    ...(typeof value === 'string' && textMeasuredOf(value, random)),
  }
  return collectedOf(measured, answerParadata, kinds)
}

function textMeasuredOf({ length }: string, random: Random): AnswerParadata {
  if (happens(pastes, random)) return { pasteCount: 1, pastedCharacters: length, keystrokes: 0, deletions: 0 }
  const deletions = Math.round(length * mistakes)
  const keyIntervalMedianMs = wholeBetween(90, 300, random)
  return {
    ...{ pasteCount: 0, pastedCharacters: 0, keystrokes: length + 2 * deletions, deletions },
    ...(length > 1 && { keyIntervalMedianMs, longestPauseMs: keyIntervalMedianMs * 8 }),
  }
}

const phone = { deviceClass: 'phone', inputKind: 'touch', pixelRatio: 3 } as const
const computer = { deviceClass: 'computer', inputKind: 'pointer', pixelRatio: 1.25 } as const
const devices: DeviceReport[] = [
  { ...phone, browser: 'safari', system: 'ios', viewportWidth: 390, viewportHeight: 664 },
  { ...phone, browser: 'chrome', system: 'android', viewportWidth: 412, viewportHeight: 732 },
  { ...computer, browser: 'chrome', system: 'windows', viewportWidth: 1536, viewportHeight: 730 },
  { ...computer, browser: 'firefox', system: 'linux', viewportWidth: 1920, viewportHeight: 940 },
]

/** What a page would say of the device that it runs on. */
export function drawDevice(kinds: readonly ParadataKind[], random: Random): DeviceReport {
  const place = { deviceLanguage: 'en-GB', timeZone: 'Europe/London' }
  const networkDelayMs = wholeBetween(5, 120, random)
  return collectedOf({ ...pickOne(devices, random), ...place, networkDelayMs }, deviceParadata, kinds)
}
