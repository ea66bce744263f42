import { type Static, Type } from 'typebox'
import { inUnit } from './components/annotations.ts'
import { DurationMs } from './text.ts'

const Strict = { additionalProperties: false }

const milliseconds = (description: string) => inUnit('ms', DurationMs(description))
const count = (description: string) => Type.Integer({ minimum: 0, maximum: 2_147_483_647, description })
const pixels = (description: string) =>
  inUnit('px', Type.Integer({ minimum: 0, maximum: 100_000, description }))

const networkDelay = {
  networkDelayMs: milliseconds('The shortest round trip between the page and the server so far'),
}

/** What is said of an answer, by kind. Lengths and times only, never what was pasted or typed. */
export const answerParadata = {
  focus: {
    focusLostCount: count('How often the page was left for another tab, window or application'),
    focusLostMs: milliseconds('How long the page was left in all'),
  },
  paste: {
    pasteCount: count('How often something was pasted or dropped into the component'),
    pastedCharacters: inUnit('characters', count('How many characters were pasted or dropped in all')),
  },
  typing: {
    keystrokes: count('How many keys that write or delete were pressed in its text fields'),
    deletions: count('How many of these keys deleted something'),
    keyIntervalMedianMs: milliseconds('Median time between one key and the next'),
    longestPauseMs: milliseconds('Longest time between one key and the next'),
  },
  network: networkDelay,
} as const

/** What is said of a device, by kind. Families instead of versions, so that nobody is recognised by them. */
export const deviceParadata = {
  device: {
    deviceClass: Type.Enum(['phone', 'tablet', 'computer'], { description: 'The class of the device' }),
    browser: Type.Enum(['chrome', 'edge', 'firefox', 'opera', 'safari', 'samsung', 'other'], {
      description: 'The family of the browser',
    }),
    system: Type.Enum(['android', 'chromeos', 'ios', 'linux', 'macos', 'windows', 'other'], {
      description: 'The family of the operating system',
    }),
    viewportWidth: pixels('Width of the part of the window that shows the page, in CSS pixels'),
    viewportHeight: pixels('Height of the part of the window that shows the page, in CSS pixels'),
    pixelRatio: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Pixels of the screen per CSS pixel, which includes the zoom of the page',
    }),
    inputKind: Type.Enum(['touch', 'pointer', 'both', 'keyboard'], {
      description: 'What the device is used with: a touch screen; a mouse, trackpad or pen; both; or neither',
    }),
    deviceLanguage: Type.String({
      pattern: '^[A-Za-z0-9-]{1,35}$',
      description: 'The language that the browser prefers, e.g. `en-GB`',
    }),
    timeZone: Type.String({
      pattern: '^[A-Za-z0-9_+/-]{1,64}$',
      description: 'The time zone of the device, e.g. `Europe/Berlin`',
    }),
  },
  network: networkDelay,
} as const

export const paradataKinds = ['focus', 'paste', 'typing', 'device', 'network'] as const
export type ParadataKind = (typeof paradataKinds)[number]

/** R93 */
export const Paradata = Type.Array(Type.Enum([...paradataKinds]), {
  uniqueItems: true,
  maxItems: paradataKinds.length,
  title: 'What the page measures',
  description:
    'What the page measures besides the answers. `focus`: when people leave the page; `paste`: how often and how much is pasted, never what; `typing`: rhythm, never which keys; `device`: class, browser and system family, window, input, language and time zone; `network`: delay. Participants are told on the consent page; nothing when absent',
})

/** What the page measured while an answer was given: only what the study collects is kept. */
export const AnswerParadata = Type.Partial(
  Type.Object({
    ...answerParadata.focus,
    ...answerParadata.paste,
    ...answerParadata.typing,
    ...answerParadata.network,
  }),
  { ...Strict, description: 'What the page measured while the answer was given, if the study collects it' },
)
export type AnswerParadata = Static<typeof AnswerParadata>

/** The data of a `device_report` event: sent by the page when it is loaded, and when something of it has changed. */
export const DeviceReport = Type.Partial(
  Type.Object({ ...deviceParadata.device, ...deviceParadata.network }),
  Strict,
)
export type DeviceReport = Static<typeof DeviceReport>

/** What of a report belongs to the kinds that a study collects. */
export function collectedOf<Report extends object>(
  report: Report,
  fields: Partial<Record<ParadataKind, object>>,
  kinds: readonly ParadataKind[],
): Report {
  const collected = new Set(kinds.flatMap((kind) => Object.keys(fields[kind] ?? {})))
  return Object.fromEntries(Object.entries(report).filter(([name]) => collected.has(name))) as Report
}
