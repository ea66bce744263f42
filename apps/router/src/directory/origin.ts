/**
 * `http://host:port` in its one normal form, or undefined for anything else. Requests are sent to what comes out of
 * here and to nothing else, so an entry with a path, a user or another scheme is no address.
 */
export function originIn(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'http:') return undefined
  return url.href === `${url.origin}/` ? url.origin : undefined
}
