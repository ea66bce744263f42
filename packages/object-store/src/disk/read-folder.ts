import { resolve } from 'node:path'
import { codeOf } from './durable.ts'
import { objectPath } from './key-path.ts'
import { layoutOf } from './layout.ts'
import { readBytes } from './read-object.ts'
import { type ObjectFacts, openIfThere, readFacts } from './sealed-file.ts'
import { walkKeys } from './walk-keys.ts'

interface ObjectInFolder {
  size: number
  contentType: string
  /**
   * The bytes from `first` to `last`, both included; all of them if absent. Rejects with `ObjectRemoved` if the object is
   * deleted or replaced meanwhile and its bytes are gone.
   */
  read(range?: { first: number; last: number }): AsyncGenerator<Buffer>
}

export interface ObjectFolder {
  keys(): AsyncGenerator<string>
  open(key: string): Promise<ObjectInFolder | undefined>
}

export class ObjectRemoved extends Error {}

/**
 * The folder of a store, for whoever copies it while the store may be running in another process. Nothing is written:
 * stored files never change, so it is enough to notice those that go away.
 */
export function readObjectFolder(folder: string): ObjectFolder {
  const layout = layoutOf(resolve(folder))

  async function openFile(key: string) {
    const file = await openIfThere(objectPath(layout.objects, key))
    if (!file) return undefined
    try {
      return { file, facts: await readFacts<ObjectFacts>(file) }
    } catch (error) {
      await file.close()
      throw new Error(`the object ${key} ${(error as Error).message}`, { cause: error })
    }
  }

  async function* read(key: string, etag: string, range: { first: number; last: number }) {
    const opened = await openFile(key)
    if (opened?.facts.etag !== etag) {
      await opened?.file.close()
      throw new ObjectRemoved(key)
    }
    try {
      yield* readBytes(opened.file, opened.facts, layout, range)
    } catch (error) {
      throw codeOf(error) === 'ENOENT' ? new ObjectRemoved(key, { cause: error }) : error
    } finally {
      await opened.file.close()
    }
  }

  return {
    async *keys() {
      for await (const { key } of walkKeys(layout.objects, '', Buffer.alloc(0))) yield key
    },
    async open(key) {
      const opened = await openFile(key)
      if (!opened) return undefined
      await opened.file.close()
      const { size, etag, headers } = opened.facts
      const whole = { first: 0, last: size - 1 }
      return {
        size,
        contentType: headers['content-type'] ?? 'application/octet-stream',
        read: (range = whole) => read(key, etag, range),
      }
    },
  }
}
