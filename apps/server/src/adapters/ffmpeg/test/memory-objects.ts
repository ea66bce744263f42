import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ObjectAccess } from '../object-access.ts'

export interface MemoryObjects extends ObjectAccess {
  /** In the order in which they were stored. */
  readonly contents: Map<string, { bytes: Buffer; contentType: string }>
  /** Called before each `put`; what it throws, `put` rejects with. */
  beforePut: (key: string) => void | Promise<void>
}

/** Objects in memory, for tests of jobs. */
export function createMemoryObjects(): MemoryObjects {
  const contents: MemoryObjects['contents'] = new Map()
  const factsOf = ({ bytes, contentType }: { bytes: Buffer; contentType: string }) => ({
    size: bytes.length,
    contentType,
    etag: createHash('md5').update(bytes).digest('hex'),
  })
  const objects: MemoryObjects = {
    contents,
    beforePut: () => undefined,
    async put(key, body, { contentType }) {
      await objects.beforePut(key)
      const bytes = body instanceof Readable ? await buffer(body) : Buffer.from(body)
      contents.delete(key)
      contents.set(key, { bytes, contentType })
    },
    async head(key) {
      const found = contents.get(key)
      return found && factsOf(found)
    },
    async open(key, range) {
      const found = contents.get(key)
      if (found === undefined) return undefined
      const sent = range && {
        first: range.first,
        last: Math.min(range.last ?? Number.MAX_SAFE_INTEGER, found.bytes.length - 1),
      }
      const bytes = sent ? found.bytes.subarray(sent.first, sent.last + 1) : found.bytes
      return { ...factsOf(found), stream: Readable.from([bytes]), ...(sent && { range: sent }) }
    },
    list: async (prefix) => [...contents.keys()].filter((key) => key.startsWith(prefix)),
    async removeAll(prefix) {
      for (const key of contents.keys()) if (key.startsWith(prefix)) contents.delete(key)
    },
  }
  return objects
}
