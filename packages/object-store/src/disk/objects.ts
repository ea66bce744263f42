import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Draft } from './drafts.ts'
import { codeOf, type Folders } from './durable.ts'
import { createKeyLocks } from './key-locks.ts'
import { objectPath } from './key-path.ts'
import type { Layout } from './layout.ts'
import type { PieceFolders } from './piece-folders.ts'
import { type OpenObject, readBytes } from './read-object.ts'
import { DamagedFile, factsAt, type ObjectFacts, openIfThere, readFacts, seal } from './sealed-file.ts'
import type { Space } from './space.ts'

/** Throws S3Error if the object that is there, or that nothing is there, forbids the write. */
export type WriteCondition = (existing: ObjectFacts | undefined) => void

export interface Objects {
  find(key: string): Promise<ObjectFacts | undefined>
  open(key: string): Promise<OpenObject | undefined>
  /** Makes a draft, which holds the bytes (none if they are in pieces), the object. Durable when it resolves. */
  put(draft: Draft, facts: ObjectFacts, condition?: WriteCondition): Promise<void>
  /** Also if there is no such object. */
  remove(key: string): Promise<void>
}

interface ObjectsDeps {
  layout: Layout
  space: Space
  folders: Folders
  pieceFolders: PieceFolders
}

export function createObjects({ layout, space, folders, pieceFolders }: ObjectsDeps): Objects {
  /** Of one key: those who replace or delete an object must agree on whose bytes are no longer needed. */
  const locks = createKeyLocks()
  const pathOf = (key: string): string => objectPath(layout.objects, key)

  async function forget({ size, pieces }: ObjectFacts): Promise<void> {
    space.count(-size)
    if (pieces) await pieceFolders.remove(pieces.uploadId)
  }

  /** A damaged object can be replaced and deleted; what it consists of is unknown. */
  const existingAt = (path: string): Promise<ObjectFacts | undefined> =>
    factsAt<ObjectFacts>(path).catch((error: unknown) => {
      if (error instanceof DamagedFile) return undefined
      throw error
    })

  async function open(key: string): Promise<OpenObject | undefined> {
    const path = pathOf(key)
    while (true) {
      const file = await openIfThere(path)
      if (!file) return undefined
      let release = (): void => undefined
      try {
        const facts = await readFacts<ObjectFacts>(file)
        if (facts.pieces) {
          release = pieceFolders.hold(facts.pieces.uploadId)
          // It may have been replaced, and its parts removed, before we held them.
          const now = await factsAt<ObjectFacts>(path)
          if (now?.pieces?.uploadId !== facts.pieces.uploadId) {
            release()
            await file.close()
            continue
          }
        }
        return {
          facts,
          read: (range) => readBytes(file, facts, layout, range),
          async close() {
            release()
            await file.close()
          },
        }
      } catch (error) {
        release()
        await file.close()
        throw error
      }
    }
  }

  return {
    find: (key) => factsAt<ObjectFacts>(pathOf(key)),
    open,
    async put({ path, file }, facts, condition) {
      await seal(file, facts.pieces ? 0 : facts.size, facts)
      await locks.run(facts.key, async () => {
        const existing = await existingAt(pathOf(facts.key))
        condition?.(existing)
        await folders.publish(path, pathOf(facts.key))
        space.count(facts.size)
        if (existing) await forget(existing)
      })
    },
    remove: (key) =>
      locks.run(key, async () => {
        const path = pathOf(key)
        const existing = await existingAt(path)
        try {
          await rm(path)
        } catch (error) {
          if (codeOf(error) === 'ENOENT') return
          throw error
        }
        await folders.tidy(dirname(path), layout.objects)
        if (existing) await forget(existing)
      }),
  }
}
