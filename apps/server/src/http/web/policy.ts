/** Researchers use pictures and media from anywhere; code comes only from us. */
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
 * The Content-Security-Policy of a page. Recruiting sites show studies in a frame, so only the console refuses to be
 * framed.
 */
export function policyOf(page: string, connectTo: readonly string[]): string {
  if (page === 'frame.html') return researchersFrame
  const rules = [...everyPage, `connect-src ${["'self'", ...connectTo].join(' ')}`]
  return (page === 'console.html' ? [...rules, "frame-ancestors 'none'"] : rules).join('; ')
}

/**
 * The researcher's own page inside a study: it may do anything, but from an origin of its own, even if somebody opens
 * its address directly.
 */
const researchersFrame =
  "sandbox allow-scripts allow-forms; default-src * data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'self'"

/** Where pages sign people in: the provider, and no other https site. */
export const signInOrigins = (issuer: string | undefined): string[] =>
  issuer === undefined ? [] : [new URL(issuer).origin]
