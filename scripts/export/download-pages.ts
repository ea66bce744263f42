import { open, stat } from 'node:fs/promises'
import { type Download, type Downloaded, unfinished } from './unfinished.ts'

/** Where the next page begins, and how much of the file is certain. */
interface Progress {
  cursor: string
  bytes: number
}

const start: Progress = { cursor: 'start', bytes: 0 }

export async function downloadPages(download: Download): Promise<Downloaded> {
  const { client, experimentId, query, onProgress } = download
  const part = unfinished<Progress>(download)
  const noted = (await part.note()) ?? start
  const from = noted.bytes > 0 && (await stat(part.file)).size < noted.bytes ? start : noted
  const handle = await open(part.file, from.bytes === 0 ? 'w' : 'r+')
  let { bytes } = from
  try {
    // What was written after the last complete page.
    await handle.truncate(bytes)
    for await (const { text, next } of client.pages(experimentId, query, from.cursor)) {
      const content = Buffer.from(text)
      await handle.write(content, 0, content.length, bytes)
      await handle.sync()
      bytes += content.length
      onProgress(bytes)
      if (next !== null) await part.write({ cursor: next, bytes })
    }
  } finally {
    await handle.close()
  }
  await part.finish()
  return { bytes, continuedAt: from.bytes }
}
