import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { apiKeyPrefix } from '@atrium/contract'

// A key is `atk_`, then letters and digits only, so that a double click selects all of it: 16 that name it, 32 that are
// secret, and 6 by which a scanner for leaked secrets, and we ourselves without a lookup, can tell it from other text.
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 16
/** 190 bits. */
const secretLength = 32
const checksumLength = 6
const form = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${idLength + secretLength + checksumLength}}$`)

const keyIdPrefix = 'key_'
const keyIdIn = (key: string): string => keyIdPrefix + key.slice(apiKeyPrefix.length).slice(0, idLength)

const draw = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')

function checksumOf(text: string): string {
  const bytes = hash('sha256', `atrium api key checksum ${text}`, 'buffer')
  return Array.from({ length: checksumLength }, (_, at) => alphabet[(bytes[at] ?? 0) % alphabet.length]).join(
    '',
  )
}

export function newApiKey(): { keyId: string; key: string } {
  const unchecked = apiKeyPrefix + draw(idLength + secretLength)
  const key = unchecked + checksumOf(unchecked)
  return { keyId: keyIdIn(key), key }
}

/** The id of a key; undefined if the text cannot be one: a typing error, half a key, a guess without its checksum. */
export function keyIdOf(key: string): string | undefined {
  const unchecked = key.slice(0, -checksumLength)
  return form.test(key) && key.endsWith(checksumOf(unchecked)) ? keyIdIn(key) : undefined
}

/**
 * What is stored. One round of SHA-256 is enough: a slow hash protects secrets that people choose, and nobody can try out
 * 190 random bits; at every request it would only cost time.
 */
export const hashOfKey = (key: string): string => hash('sha256', key, 'hex')

/** Takes the same time whatever was presented. */
export const isKeyWithHash = (key: string, storedHash: string): boolean => {
  const [given, expected] = [Buffer.from(hashOfKey(key)), Buffer.from(storedHash)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

// Longer matches too, and underscores: a key directly after the start of another would otherwise remain in part. Also a
// key that was cut off: even half a secret is nobody's business.
const keysInText = new RegExp(`${apiKeyPrefix}[0-9A-Za-z_]{${idLength + 1},}`, 'g')

/** The id takes the place of a key. */
export const hideApiKeys = (text: string): string =>
  text.includes(apiKeyPrefix) ? text.replace(keysInText, keyIdIn) : text
