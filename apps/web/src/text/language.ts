/** One catalogue for each language. English is complete, so it is the fallback. */
type Catalogues<Texts> = Readonly<Record<string, Texts>> & { en: Texts }

/** `<html lang>` is the one place that says which language the page has: screen readers follow it too. */
const languageOfPage = (): string =>
  typeof document === 'undefined' ? 'en' : document.documentElement.lang || 'en'

const primaryOf = (language: string): string => language.split('-')[0]?.toLowerCase() ?? ''

/** The catalogue in the language of the page. Tests without a page read English. */
export function inPageLanguage<Texts>(catalogues: Catalogues<Texts>): Texts {
  const language = primaryOf(languageOfPage())
  return Object.hasOwn(catalogues, language) ? (catalogues[language] ?? catalogues.en) : catalogues.en
}

/**
 * For numbers and times: the page’s language, as it is written where the reader lives if their browser says so. Always
 * with the digits that number fields take, so that an amount on the page can be typed as it is shown.
 */
export function pageLocale(): string {
  const language = languageOfPage()
  const regional =
    typeof navigator === 'undefined'
      ? undefined
      : navigator.languages?.find((each) => primaryOf(each) === primaryOf(language))
  return new Intl.Locale(regional ?? language, { numberingSystem: 'latn' }).toString()
}

const rightToLeft: readonly string[] = ['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']

export const directionOf = (language: string): 'ltr' | 'rtl' =>
  rightToLeft.includes(primaryOf(language)) ? 'rtl' : 'ltr'
