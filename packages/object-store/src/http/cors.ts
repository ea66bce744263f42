import type { IncomingMessage } from 'node:http'

export type AllowedOrigins = '*' | readonly string[]

const methods = 'GET, HEAD, PUT, POST, DELETE'
/** Without these a script sees a response but cannot finish or repeat an upload, or resume a download. */
const exposed =
  'ETag, Content-Length, Content-Range, Accept-Ranges, Last-Modified, Retry-After, x-amz-request-id'
const maxAgeSeconds = 3_600
const headerList = /^[\w\-, ]{1,2000}$/

/**
 * The headers that let pages of other origins use the store. `*` is safe: the signature is the only credential, and
 * browsers do not add it by themselves.
 */
export function corsHeaders(
  { headers, method }: IncomingMessage,
  allowed: AllowedOrigins,
): Record<string, string> {
  const { origin } = headers
  if (origin === undefined || !(allowed === '*' || allowed.includes(origin))) return {}
  const asked = headers['access-control-request-headers']
  return {
    'access-control-allow-origin': allowed === '*' ? '*' : origin,
    'access-control-expose-headers': exposed,
    ...(allowed !== '*' && { vary: 'Origin' }),
    ...(method === 'OPTIONS' && {
      'access-control-allow-methods': methods,
      'access-control-max-age': String(maxAgeSeconds),
      ...(asked !== undefined && headerList.test(asked) && { 'access-control-allow-headers': asked }),
    }),
  }
}
