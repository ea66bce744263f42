/** The rhythm of keys. Which keys they were is never kept. */
export interface Typing {
  keystrokes: number
  deletions: number
  /** How often each time between two keys occurred, in milliseconds: a long text has few different ones. */
  intervals: Readonly<Record<number, number>>
  /** When the last key was pressed. */
  lastAt?: number
  /** Whether the last key has deleted something: a key that is held counts once. */
  hasDeleted?: boolean
}

export const noTyping: Typing = { keystrokes: 0, deletions: 0, intervals: {} }

export function pressed(typing: Typing, now: number): Typing {
  const { keystrokes, deletions, intervals, lastAt } = typing
  const next = { keystrokes: keystrokes + 1, deletions, lastAt: now }
  if (lastAt === undefined) return { ...next, intervals }
  const ms = Math.max(0, Math.round(now - lastAt))
  return { ...next, intervals: { ...intervals, [ms]: (intervals[ms] ?? 0) + 1 } }
}

/** Something was deleted: by the last key, if there was one. */
export function deleted(typing: Typing): Typing {
  if (typing.lastAt === undefined || typing.hasDeleted) return typing
  return { ...typing, deletions: typing.deletions + 1, hasDeleted: true }
}

export interface Rhythm {
  keyIntervalMedianMs: number
  longestPauseMs: number
}

/** Undefined until there were two keys. */
export function rhythmOf({ intervals }: Typing): Rhythm | undefined {
  const sorted = Object.entries(intervals)
    .map(([ms, count]) => ({ ms: Number(ms), count }))
    .sort((one, other) => one.ms - other.ms)
  const longest = sorted.at(-1)
  if (!longest) return undefined
  const total = sorted.reduce((sum, { count }) => sum + count, 0)
  const [lower, upper] = [Math.floor((total - 1) / 2), Math.floor(total / 2)].map((place) =>
    at(sorted, place),
  )
  return {
    keyIntervalMedianMs: Math.round(((lower ?? 0) + (upper ?? 0)) / 2),
    longestPauseMs: longest.ms,
  }
}

function at(sorted: readonly { ms: number; count: number }[], place: number): number | undefined {
  let before = 0
  return sorted.find(({ count }) => {
    before += count
    return place < before
  })?.ms
}

/** The part of a keyboard event that is looked at. */
export interface PressedKey {
  key: string
  repeat: boolean
  ctrlKey: boolean
  metaKey: boolean
  getModifierState(name: 'AltGraph'): boolean
}

/** What phones and input methods say instead of a key, for each key that is pressed on them. */
const unnamed = new Set(['Unidentified', 'Process'])
const writing = new Set(['Enter', 'Backspace', 'Delete', 'Dead'])

/** Whether a key writes or deletes: not one that is held, moves the cursor, or belongs to a shortcut. */
export function isTyping(event: PressedKey): boolean {
  const { key, repeat, ctrlKey, metaKey } = event
  if (repeat) return false
  if (unnamed.has(key) || writing.has(key)) return true
  // On Windows, AltGr is Ctrl and Alt at once, and writes characters such as @.
  const isShortcut = metaKey || (ctrlKey && !event.getModifierState('AltGraph'))
  return [...key].length === 1 && !isShortcut
}

/** By what the field says it has done: input methods and phones do not name their keys. */
export const isDeletion = (inputType: string): boolean =>
  /^delete(Content|Word|(Entire)?SoftLine|HardLine)/.test(inputType)

/** How many characters a text has, as the field that it is pasted into counts them. */
export const charactersIn = (text: string): number =>
  text.replaceAll(/\r\n|[\u{10000}-\u{10ffff}]/gu, '_').length

/** Types of inputs into which nobody writes text. */
const wordless =
  /^(button|checkbox|color|date|datetime-local|file|hidden|image|month|radio|range|reset|submit|time|week)$/

export const isTextField = (target: EventTarget | null): boolean =>
  (target instanceof HTMLInputElement && !wordless.test(target.type)) ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLElement && target.isContentEditable)

/** Whether anything can be written in a component, so that no key and no paste say something, too. */
export const hasTextField = (component: HTMLElement): boolean =>
  [...component.querySelectorAll('input, textarea, [contenteditable]')].some(isTextField)
