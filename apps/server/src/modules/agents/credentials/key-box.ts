import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SealingKey } from '../../../kernel/sealing-keys.ts'

type Opened =
  | { kind: 'opened'; text: string }
  /** Sealed with a key that is not in the configuration. */
  | { kind: 'key_missing'; keyId: string }
  /** Changed since, or sealed for something else. */
  | { kind: 'damaged' }

export interface KeyBox {
  /** `subject` must be given again to open it: a sealed text that is moved to another row does not open there. */
  seal(text: string, subject: string): string
  open(sealed: string, subject: string): Opened
  /** Whether the key is there; says nothing about the text. */
  canOpen(sealed: string): boolean
  /** How texts begin that are sealed with the key now in use. */
  readonly currentPrefix: string
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
/** `v1.<key id>.<nonce, encrypted text and tag>` */
const sealedForm = /^v1\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]+)$/

/** Encrypts with the first key and decrypts with any: keys are rotated by putting a new one in front. */
export function createKeyBox([current, ...older]: readonly [SealingKey, ...SealingKey[]]): KeyBox {
  const keys = new Map([current, ...older].map(({ id, key }) => [id, key]))
  const currentPrefix = `v1.${current.id}.`

  return {
    currentPrefix,
    seal(text, subject) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, current.key, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(subject))
      const encrypted = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return currentPrefix + Buffer.concat(encrypted).toString('base64url')
    },
    open(sealed, subject) {
      const [, keyId = '', body = ''] = sealedForm.exec(sealed) ?? []
      const bytes = Buffer.from(body, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return { kind: 'damaged' }
      const key = keys.get(keyId)
      if (!key) return { kind: 'key_missing', keyId }
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(subject)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
        return { kind: 'opened', text: Buffer.concat([text, decipher.final()]).toString('utf8') }
      } catch {
        // All that Node says is that the tag is wrong.
        return { kind: 'damaged' }
      }
    },
    canOpen: (sealed) => keys.has(sealedForm.exec(sealed)?.[1] ?? ''),
  }
}
