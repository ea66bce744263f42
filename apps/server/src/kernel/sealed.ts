import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Keys for what is stored but must not be readable in the database: derived from the secrets of sessions, which are not in
 * it. The first one seals and marks; what any of them has sealed can be opened, so that secrets can be rotated.
 */
export type SealingKeys = readonly [string, ...string[]]

const derived = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'atrium identity before consent', 32)).toString('base64url')

export const sealingKeysFrom = ([first, ...others]: readonly [string, ...string[]]): SealingKeys => [
  derived(first),
  ...others.map(derived),
]

const prefix = 'sealed:'
const [nonceBytes, tagBytes] = [12, 16]

export const isSealed = (text: unknown): text is string => typeof text === 'string' && text.startsWith(prefix)

export function sealed([key]: SealingKeys, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return prefix + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

/** Undefined for what none of the keys has sealed. */
export function opened(keys: SealingKeys, text: string): string | undefined {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url')
  if (!isSealed(text) || bytes.length < nonceBytes + tagBytes) return undefined
  for (const key of keys) {
    const found = openedWith(Buffer.from(key, 'base64url'), bytes)
    if (found !== undefined) return found
  }
  return undefined
}

function openedWith(key: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    const body = decipher.update(bytes.subarray(nonceBytes + tagBytes))
    return Buffer.concat([body, decipher.final()]).toString('utf8')
  } catch {
    // Another key has sealed it, or nobody: a participant may send any text.
    return undefined
  }
}

/** Finds the same thing again, without saying what it is; one mark for each key. */
export const marksOf = (keys: SealingKeys, text: string): string[] =>
  keys.map((key) => createHmac('sha256', Buffer.from(key, 'base64url')).update(text).digest('base64url'))
