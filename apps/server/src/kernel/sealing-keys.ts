import { hash, hkdfSync } from 'node:crypto'

/** A key that encrypts what is stored, with the name by which stored text refers to it. */
export interface SealingKey {
  id: string
  /** 32 bytes. */
  key: Buffer
}

const keyBytes = 32
/** Names of our own begin with `_`, so that no configured one is the same. */
const entry = /^([A-Za-z0-9][A-Za-z0-9_-]{0,31}):([A-Za-z0-9+/_-]{43}=?)$/

/** Reads `id:base64,id:base64,…`. Undefined if any part is wrong. */
export function parseSealingKeys(text: string): SealingKey[] | undefined {
  const keys = text.split(',').map((part) => {
    const [, id = '', base64 = ''] = entry.exec(part.trim()) ?? []
    return { id, key: Buffer.from(base64, 'base64') }
  })
  const isSound = keys.every(({ key }) => key.length === keyBytes)
  return isSound && new Set(keys.map(({ id }) => id)).size === keys.length ? keys : undefined
}

/** A key from a secret that the server made itself. Its name tells it from that of another installation. */
export function sealingKeyFrom(secret: string): SealingKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'atrium sealing key', keyBytes))
  return { id: `_${hash('sha256', key, 'base64url').slice(0, 10)}`, key }
}
