/** Researchers show pictures and media from anywhere; code comes from us alone. */
const everyPage = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src * data: blob:',
  'media-src * data: blob:',
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
]

/**
 * What a page may do, as its Content-Security-Policy. Recruiting sites show studies in a frame of theirs, so only the
 * console refuses to be framed.
 */
export function policyOf(page: string, connectTo: readonly string[]): string {
  if (page === 'frame.html') return researchersFrame
  const rules = [...everyPage, `connect-src ${["'self'", ...connectTo].join(' ')}`]
  return (page === 'console.html' ? [...rules, "frame-ancestors 'none'"] : rules).join('; ')
}

/**
 * The researcher's own page inside a study: it may do as it likes, but from an origin of its own, even when somebody
 * opens its address by itself.
 */
const researchersFrame =
  "sandbox allow-scripts allow-forms; default-src * data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'self'"

/** Where pages sign people in: the provider, and nobody else who speaks https. */
export const signInOrigins = (issuer: string | undefined): string[] =>
  issuer === undefined ? [] : [new URL(issuer).origin]
