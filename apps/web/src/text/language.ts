/** One catalogue for each language. English is complete, so it is the fallback. */
type Catalogues<Texts> = Readonly<Record<string, Texts>> & { en: Texts }

/**
 * The catalogue in the language of the page. `<html lang>` is the one place that says which that is: screen readers
 * follow it too. Tests without a page read English.
 */
export function inPageLanguage<Texts>(catalogues: Catalogues<Texts>): Texts {
  const language = typeof document === 'undefined' ? 'en' : document.documentElement.lang
  return Object.hasOwn(catalogues, language) ? (catalogues[language] ?? catalogues.en) : catalogues.en
}
