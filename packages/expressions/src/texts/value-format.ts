const pluralForms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
type PluralForm = (typeof pluralForms)[number]

/** How a value is written in a text. */
export type ValueFormat =
  | { kind: 'usual' }
  | { kind: 'decimals'; decimals: number; isPercent: boolean }
  | { kind: 'currency'; currency: string }
  | { kind: 'plural'; forms: Partial<Record<PluralForm, string>> & { other: string } }

const maxDecimals = 6

/** `0.00`, `0%`, `EUR`, or `one: "point", other: "points"`. */
export function parseValueFormat(text: string): ValueFormat | { message: string } {
  const decimals = /^0(?:\.(0+))?(%)?$/.exec(text)
  if (decimals && (decimals[1]?.length ?? 0) <= maxDecimals)
    return { kind: 'decimals', decimals: decimals[1]?.length ?? 0, isPercent: decimals[2] !== undefined }
  if (/^[A-Z]{3}$/.test(text)) return { kind: 'currency', currency: text }
  return parsePlural(text) ?? { message: unknownFormat(text) }
}

const unknownFormat = (text: string) =>
  `unknown format ‘${text}’; use 0, 0.00, 0%, a currency such as EUR, or one: "point", other: "points"`

function parsePlural(text: string): ValueFormat | { message: string } | undefined {
  const forms: Partial<Record<PluralForm, string>> = {}
  const entry = /\s*([a-z]+)\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*(,|$)/y
  let at = 0
  while (at < text.length) {
    entry.lastIndex = at
    const found = entry.exec(text)
    const name = pluralForms.find((form) => form === found?.[1])
    if (!found || !name) return undefined
    forms[name] = (found[2] ?? '').slice(1, -1).replace(/\\(.)/g, '$1')
    at = entry.lastIndex
  }
  const { other } = forms
  return other === undefined
    ? { message: 'a plural needs the form ‘other’' }
    : { kind: 'plural', forms: { ...forms, other } }
}

/** The forms for numbers that a language has beside ‘other’. */
export const formsOfLanguage = (language: string): string[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories.filter((form) => form !== 'other')

/** Writes numbers and lists in one language. */
export interface ValueFormats {
  language: string
  number(value: number, format: ValueFormat): string
  list(items: readonly string[]): string
  /** Whether a text has letters that run in the other direction than the language. */
  runsOtherwise(text: string): boolean
}

/** Of number formats in one language: one takes kilobytes, and a definition can name thousands of currencies. */
const maxNumberFormats = 100

const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Formats are made once: making one takes longer than using it a hundred times. */
export function createValueFormats(language: string): ValueFormats {
  // The digits that number fields take, so that people can type what they read.
  const locale = new Intl.Locale(language, { numberingSystem: 'latn' })
  const made = new Map<string, Intl.NumberFormat>()
  const plurals = new Intl.PluralRules(locale)

  function numberIn(value: number, key: string, options: Intl.NumberFormatOptions): string {
    const known = made.get(key)
    if (known) return known.format(value)
    if (made.size >= maxNumberFormats) made.clear()
    const numbers = new Intl.NumberFormat(locale, options)
    made.set(key, numbers)
    return numbers.format(value)
  }

  function number(value: number, format: ValueFormat): string {
    switch (format.kind) {
      case 'usual':
        return numberIn(value, '', {})
      case 'decimals': {
        const { decimals, isPercent } = format
        const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
        return isPercent
          ? numberIn(value, `${decimals}%`, { ...digits, style: 'percent' })
          : numberIn(value, `${decimals}`, digits)
      }
      case 'currency':
        return numberIn(value, format.currency, { style: 'currency', currency: format.currency })
      case 'plural': {
        const form = format.forms[plurals.select(value)] ?? format.forms.other
        return form.replaceAll('#', numberIn(value, '', {}))
      }
    }
  }

  // What the language itself writes for a week day shows its direction; not every engine can be asked for it.
  const runsLeft = rightToLeft.test(new Intl.DateTimeFormat(locale, { weekday: 'long' }).format(0))
  return {
    language,
    number,
    list: createListFormat(locale),
    runsOtherwise: (text) => (runsLeft ? leftToRight : rightToLeft).test(text),
  }
}

/**
 * As Intl writes lists, which takes half a microsecond per item: the group of 50 that sees what everyone gave has 50 lists of
 * 49. Only what stands before the last item may depend on the item (Spanish “e igual”), so Intl writes just the last three.
 */
function createListFormat(locale: Intl.Locale): ValueFormats['list'] {
  const lists = new Intl.ListFormat(locale)
  const parts = lists.formatToParts(['a', 'b', 'c', 'd', 'e'])
  const between = parts.map(({ type, value }) => (type === 'literal' ? value : ''))
  const [first, second, third] = [between[1], between[3], between[5]]
  const isPlain = parts.length === 9 && first !== undefined && first !== '' && second === third
  return (items) => {
    if (!isPlain || second === undefined || items.length < 5) return lists.format(items)
    const head = `a${first}`
    const [beforeLast = '', last = ''] = items.slice(-2)
    const end = lists.format(['a', beforeLast, last]).slice(head.length)
    const [begin = '', ...middle] = items.slice(0, -2)
    return `${begin}${first}${middle.join(second)}${second}${end}`
  }
}
