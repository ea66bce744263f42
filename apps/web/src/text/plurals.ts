/** The forms that a language has for a number, besides `other`; English has `one`, Arabic five. */
type Forms<Form extends Intl.LDMLPluralRule> = Record<Form | 'other', string>

interface Plurals<Form extends Intl.LDMLPluralRule> {
  /** The form that goes with a number. */
  pick(count: number, forms: Forms<Form>): string
  /** The number followed by its form: “2,000 rooms”. */
  count(count: number, forms: Forms<Form>): string
}

export function createPlurals<Form extends Intl.LDMLPluralRule = 'one'>(locale: string): Plurals<Form> {
  // Created when needed: a browser that lacks one of them loses the texts that need it, not the page.
  const pick = (count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }) =>
    forms[new Intl.PluralRules(locale).select(count)] ?? forms.other
  const format = (count: number) => new Intl.NumberFormat(locale).format(count)
  return { pick, count: (count, forms) => `${format(count)} ${pick(count, forms)}` }
}
