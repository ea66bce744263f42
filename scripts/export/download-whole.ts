import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { ApiRefused, type HeldFile, type RunningHash, runningSha256 } from '@atrium/client/node'
import { type Download, type Downloaded, unfinished } from './unfinished.ts'

interface Begun {
  exportId: string
}

interface Found {
  hash: RunningHash
  held?: HeldFile
}

/** For files that are one piece: Parquet has its index at the end, a ZIP file as well. */
export async function downloadWhole(download: Download): Promise<Downloaded> {
  const { client, experimentId, query, onProgress } = download
  const part = unfinished<Begun>(download)

  async function write({ hash, held }: Found): Promise<Downloaded> {
    const continuedAt = held?.bytes ?? 0
    let bytes = continuedAt
    const handle = await open(part.file, held ? 'a' : 'w')
    const onBegun = (exportId: string) => part.write({ exportId })
    try {
      for await (const piece of client.file(experimentId, query, { hash, onBegun, ...(held && { held }) })) {
        await handle.writeFile(piece)
        bytes += piece.length
        onProgress(bytes)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await part.finish()
    return { bytes, continuedAt }
  }

  const begun = await part.note()
  const fresh = () => ({ hash: runningSha256() })
  return await write(begun ? await found(part.file, begun) : fresh()).catch(async (error: unknown) => {
    if (!(error instanceof ApiRefused && error.code === 'EXPORT_CHANGED')) throw error
    return await write(fresh())
  })
}

/** What an earlier run has left, whatever it is: the platform compares it with the file. */
async function found(path: string, { exportId }: Begun): Promise<Found> {
  const hash = runningSha256()
  let bytes = 0
  for await (const piece of createReadStream(path)) {
    hash.update(piece)
    bytes += piece.length
  }
  return { hash, held: { exportId, bytes } }
}
