import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Layout } from './layout.ts'
import type { Space } from './space.ts'

/** A file that nobody sees until it is published. */
export interface Draft {
  path: string
  file: FileHandle
}

export interface Drafts {
  /** Lets `work` fill a draft and publish it. Whatever happens, nothing of it is left among the temporary files. */
  use<Result>(bytes: number, work: (draft: Draft) => Promise<Result>): Promise<Result>
}

export function createDrafts(layout: Layout, space: Space): Drafts {
  return {
    async use(bytes, work) {
      const giveBack = await space.reserve(bytes)
      try {
        const path = layout.newTemporary()
        const file = await open(path, 'wx+', 0o600)
        try {
          return await work({ path, file })
        } finally {
          await file.close() // Waits for writes under way.
          await rm(path, { force: true })
        }
      } finally {
        giveBack()
      }
    },
  }
}
