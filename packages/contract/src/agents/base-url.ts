/** Longer than any real address. */
const maxCharacters = 2_000

/** The base URL of a model server as it is stored and called: without a slash at its end. */
export type ModelBaseUrl = { kind: 'valid'; url: string } | { kind: 'invalid'; because: string }

/** R42. `because` continues a sentence that begins with the name of the field. */
export function parseModelBaseUrl(text: string): ModelBaseUrl {
  if (text.length > maxCharacters) return invalid(`must have at most ${maxCharacters} characters`)
  // The URL parser removes line breaks and tabs silently, and writes other characters in ways that people do not recognise.
  if (!/^[\x21-\x7e]+$/.test(text))
    return invalid('must be an address without spaces or characters outside ASCII')
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    return invalid('must be an address such as https://model.example.org/v1, with http or https')
  const { origin, pathname, username, password } = new URL(text)
  if (username !== '' || password !== '')
    return invalid('must not contain a user name or password: the key is given in apiKey')
  if (/[?#]/.test(text)) return invalid('must not contain a query or fragment')
  const path = pathname.replace(/\/+$/, '')
  if (!path.endsWith('/v1')) return invalid('must end in /v1')
  return { kind: 'valid', url: origin + path }
}

const invalid = (because: string): ModelBaseUrl => ({ kind: 'invalid', because })
