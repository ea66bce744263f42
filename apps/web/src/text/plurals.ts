/** The forms that a language has for a number; English has `one` and `other`. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

export interface Plurals {
  /** The form that goes with a number. */
  pick(count: number, forms: Forms): string
  /** The number followed by its form: “2,000 rooms”. */
  count(count: number, forms: Forms): string
}

export function createPlurals(locale: string): Plurals {
  // Created when needed: a browser that lacks one of them loses the texts that need it, not the page.
  const pick = (count: number, forms: Forms) =>
    forms[new Intl.PluralRules(locale).select(count)] ?? forms.other
  const format = (count: number) => new Intl.NumberFormat(locale).format(count)
  return { pick, count: (count, forms) => `${format(count)} ${pick(count, forms)}` }
}
