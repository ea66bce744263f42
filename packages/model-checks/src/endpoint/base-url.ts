export type BaseUrl = { kind: 'valid'; url: string; endsInV1: boolean } | { kind: 'invalid'; because: string }

const maxChars = 2_000

/** Accepts a trailing slash (R42). Whether `/v1` is missing is told apart, because the server's answer says more about it. */
export function parseBaseUrl(text: string): BaseUrl {
  const example = 'Give one such as http://127.0.0.1:8080/v1.'
  if (text.length > maxChars) return invalid(`The base URL has more than ${maxChars} characters. ${example}`)
  const url = parseUrl(text)
  if (url === undefined) return invalid(`“${text}” is not a URL. ${example}`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return invalid(`The base URL begins with ${url.protocol}, not with http: or https:. ${example}`)
  if (url.username !== '' || url.password !== '')
    return invalid('The base URL contains a user name or a password. Give the API key on its own instead.')
  if (url.search !== '' || url.hash !== '')
    return invalid('The base URL contains a “?” or a “#”. It has to end in /v1.')
  const path = url.pathname.replace(/\/+$/, '')
  return { kind: 'valid', url: `${url.origin}${path}`, endsInV1: path.endsWith('/v1') }
}

const invalid = (because: string): BaseUrl => ({ kind: 'invalid', because })

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
