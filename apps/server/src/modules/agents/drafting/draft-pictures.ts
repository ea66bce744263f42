import { isRecord } from '../providers/read-completion.ts'

/**
 * Settings that name an address from which the browser loads something. A model that could set one would learn who opens the draft,
 * from where and when.
 */
export const addressSettings: ReadonlySet<string> = new Set(['image', 'src', 'poster', 'captions', 'file'])

/** What is said to be left out. */
export const picturesInTexts = 'pictures in texts'

/**
 * A drafted value without pictures in its texts. All texts, because a draft may be no valid definition, and variables stand in
 * texts. `![` begins a picture; a value between the two characters may be empty.
 */
export function withoutPictures(value: unknown, onLeftOut: (name: string) => void): unknown {
  if (typeof value === 'string') {
    const text = value.replace(/!+(?=\[)/g, '').replaceAll('!{{', '! {{')
    if (text.length < value.length) onLeftOut(picturesInTexts)
    return text
  }
  if (Array.isArray(value)) return value.map((item) => withoutPictures(item, onLeftOut))
  return isRecord(value) ? changed(value, (item) => withoutPictures(item, onLeftOut)) : value
}

/** A drafted component without addresses, at whatever depth. */
export function withoutAddresses(value: unknown, onLeftOut: (name: string) => void): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutAddresses(item, onLeftOut))
  if (!isRecord(value)) return value
  for (const name of addressSettings) if (Object.hasOwn(value, name)) onLeftOut(name)
  const kept = Object.entries(value).filter(([name]) => !addressSettings.has(name))
  return changed(Object.fromEntries(kept), (item) => withoutAddresses(item, onLeftOut))
}

/** `Object.fromEntries`, because a name may be `__proto__`. */
const changed = (value: Record<string, unknown>, change: (item: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]))
