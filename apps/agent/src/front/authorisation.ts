import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** By these words `serve` knows another `serve`. */
export const keyMissing = 'Send the API key: Authorization: Bearer <key>.'

/** Refuses requests without the key. Digests have one length, so that the comparison takes the same time for every key. */
export function createKeyCheck(apiKey: string): (request: IncomingMessage) => void {
  const expected = digestOf(apiKey)
  return ({ headers }) => {
    const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
    if (given === undefined) throw new Refusal('invalid_api_key', keyMissing)
    if (!timingSafeEqual(digestOf(given), expected))
      throw new Refusal('invalid_api_key', 'The API key is not the one of this server.')
  }
}

const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest()
