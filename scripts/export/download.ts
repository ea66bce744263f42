import { createWriteStream, existsSync } from 'node:fs'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type DataClient, type DataQuery, NoAnswer } from '@atrium/client/node'

interface Download {
  client: DataClient
  experimentId: string
  query: DataQuery
  output: string
  onProgress(bytes: number): void
}

/** What is needed to continue: where the next page begins, and how much of the file is certain. */
interface Progress {
  experimentId: string
  query: DataQuery
  cursor: string
  bytes: number
}

interface Downloaded {
  bytes: number
  /** Bytes that an earlier run had left. */
  continuedAt: number
}

/** The file appears under its name once it is complete. */
export async function downloadTo(download: Download): Promise<Downloaded> {
  return hasPages(download.query) ? await byPages(download) : await atOnce(download)
}

const hasPages = ({ table, format }: DataQuery): boolean =>
  (format === 'csv' || format === 'jsonl') && table !== 'agent_turns' && table !== 'codebook'

const unfinished = (output: string) => ({ file: `${output}.part`, progress: `${output}.part.json` })

async function byPages({ client, experimentId, query, output, onProgress }: Download): Promise<Downloaded> {
  const { file, progress } = unfinished(output)
  const start = { experimentId, query, cursor: 'start', bytes: 0 }
  const known = await readProgress(progress)
  const isSame =
    JSON.stringify({ ...known, cursor: '', bytes: 0 }) === JSON.stringify({ ...start, cursor: '' })
  const from = known && isSame && existsSync(file) ? known : start
  const handle = await open(file, from.bytes === 0 ? 'w' : 'r+')
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
      if (next !== null) await writeProgress(progress, { ...start, cursor: next, bytes })
    }
  } finally {
    await handle.close()
  }
  await rename(file, output)
  await rm(progress, { force: true })
  return { bytes, continuedAt: from.bytes }
}

/** For files that are one piece: Parquet has its index at the end, a ZIP file as well. */
async function atOnce({ client, experimentId, query, output, onProgress }: Download): Promise<Downloaded> {
  const { file } = unfinished(output)
  const { body } = await client.file(experimentId, query)
  if (!body) throw new NoAnswer('empty response')
  let bytes = 0
  const counted = Readable.fromWeb(body).on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    onProgress(bytes)
  })
  await pipeline(counted, createWriteStream(file)).catch((error: Error) => {
    throw new NoAnswer(error.message, { cause: error })
  })
  await rename(file, output)
  return { bytes, continuedAt: 0 }
}

const readProgress = async (path: string): Promise<Progress | undefined> =>
  existsSync(path) ? JSON.parse(await readFile(path, 'utf8')) : undefined

/** Never half: a program that is killed meanwhile leaves the earlier one. */
async function writeProgress(path: string, progress: Progress): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(progress))
  await rename(`${path}.new`, path)
}
