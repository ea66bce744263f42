/** The forms that a language has for a number; English has `one` and `other`. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

export interface Plurals {
  /** The form that goes with a number. */
  pick(count: number, forms: Forms): string
  /** The number followed by its form: “2,000 rooms”. */
  count(count: number, forms: Forms): string
}

export function createPlurals(locale: string): Plurals {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  const pick = (count: number, forms: Forms) => forms[rules.select(count)] ?? forms.other
  return { pick, count: (count, forms) => `${numbers.format(count)} ${pick(count, forms)}` }
}
