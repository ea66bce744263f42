import { texts } from '../../../text/participant.ts'

/**
 * Which of the allowed keys was pressed, with or without the shift key. On a keyboard with other letters, the key in the
 * same place counts: where an English keyboard has F, an Arabic one has ب.
 */
export function allowedKeyOf(
  { key, code }: Pick<KeyboardEvent, 'key' | 'code'>,
  allowed: readonly string[],
): string | undefined {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  return (
    allowed.find((each) => same(each, key)) ??
    allowed.find((each) => same(`Key${each}`, code) || same(`Digit${each}`, code))
  )
}

const arrows: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
}

/** As it is printed on the key. */
export function nameOfKey(key: string): string {
  if (key === ' ') return texts().tasks.reaction.space
  return arrows[key] ?? (key.length === 1 ? key.toUpperCase() : key)
}
