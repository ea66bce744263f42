import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The database while it is being filled; it gets its own name when it is complete. */
export const unfinishedFile = 'atrium.db.unfinished'

/** Without this, a server would start with an empty database where a restored one is expected. */
export function refuseUnfinishedTransfer(folder: string): void {
  if (existsSync(join(folder, unfinishedFile)))
    throw new Error(
      `a restore into ${folder} was interrupted. Run it again, or delete ${unfinishedFile} there to start with an empty installation`,
    )
}
