import type { Value } from '../expressions/value.ts'

const pluralForms = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
type PluralForm = (typeof pluralForms)[number]

/** How a value is written in a text. */
export type ValueFormat =
  | { kind: 'usual' }
  | { kind: 'decimals'; decimals: number; isPercent: boolean }
  | { kind: 'currency'; currency: string }
  | { kind: 'plural'; forms: Partial<Record<PluralForm, string>> & { other: string } }

const mostDecimals = 6

/** `0.00`, `0%`, `EUR`, or `one: "point", other: "points"`. */
export function parseValueFormat(text: string): ValueFormat | { message: string } {
  const decimals = /^0(?:\.(0+))?(%)?$/.exec(text)
  if (decimals && (decimals[1]?.length ?? 0) <= mostDecimals)
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

const nothing = '–'
/** Nobody reads more of one value, and a text is sent with every change of it. */
const longestValue = 1_000

export interface ValueFormats {
  write(value: Value, format: ValueFormat): string
  /** Whether a text has letters that run in the other direction than the language. */
  runsOtherwise(text: string): boolean
}

const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

/** Writes values in one language. Formats are made once: making one takes longer than using it a hundred times. */
export function createValueFormats(language: string): ValueFormats {
  // The digits that number fields take, so that people can type what they read.
  const locale = new Intl.Locale(language, { numberingSystem: 'latn' })
  const made = new Map<string, Intl.NumberFormat>()
  const lists = new Intl.ListFormat(locale)
  const plurals = new Intl.PluralRules(locale)

  function numberIn(value: number, options: Intl.NumberFormatOptions): string {
    const key = JSON.stringify(options)
    const known = made.get(key) ?? new Intl.NumberFormat(locale, options)
    made.set(key, known)
    return known.format(value)
  }

  function writeNumber(value: number, format: ValueFormat): string {
    switch (format.kind) {
      case 'usual':
        return numberIn(value, {})
      case 'decimals': {
        const { decimals, isPercent } = format
        const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
        return numberIn(value, isPercent ? { ...digits, style: 'percent' } : digits)
      }
      case 'currency':
        return numberIn(value, { style: 'currency', currency: format.currency })
      case 'plural': {
        const form = format.forms[plurals.select(value)] ?? format.forms.other
        return form.replaceAll('#', numberIn(value, {}))
      }
    }
  }

  function write(value: Value, format: ValueFormat): string {
    if (typeof value === 'number') return writeNumber(value, format)
    if (typeof value === 'string') return cut(value)
    if (typeof value === 'boolean') return String(value)
    if (!Array.isArray(value)) return nothing
    const items = value
      .slice(0, longestValue)
      .map((item) => (Array.isArray(item) ? nothing : write(item, format)))
    return items.length === 0 ? nothing : cut(lists.format(items))
  }

  // What the language itself writes for a week day shows its direction; not every engine can be asked for it.
  const runsLeft = rightToLeft.test(new Intl.DateTimeFormat(locale, { weekday: 'long' }).format(0))
  return { write, runsOtherwise: (text) => (runsLeft ? leftToRight : rightToLeft).test(text) }
}

const cut = (text: string): string => (text.length > longestValue ? `${text.slice(0, longestValue)}…` : text)
