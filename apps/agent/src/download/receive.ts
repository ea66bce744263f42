import { inGigabytes } from '../hardware/index.ts'
import { Misuse } from '../misuse.ts'
import type { DownloadOptions } from './download-options.ts'
import type { PartFile } from './part-file.ts'
import { BrokenOff } from './remote-file.ts'

/** Appends the body to the part. Throws `BrokenOff` if it ends too early. */
export async function receive(
  body: AsyncIterable<Uint8Array>,
  part: PartFile,
  { what, magic, onProgress }: DownloadOptions,
  { onChunk, startedAtBytes }: { onChunk(): void; startedAtBytes: number },
): Promise<void> {
  const { totalBytes } = part.record ?? { totalBytes: 0 }
  let isFirst = part.bytes === 0
  for await (const chunk of breakingOff(body)) {
    onChunk()
    if (isFirst) await refuseOther(chunk, magic, what, part)
    isFirst = false
    if (part.bytes + chunk.length > totalBytes) {
      await part.discard()
      throw new Misuse(
        `The server sends more of ${what} than it announced. Nothing was kept; give another address.`,
      )
    }
    await part.append(chunk)
    onProgress({
      receivedBytes: part.bytes,
      totalBytes,
      startedAtBytes: Math.min(startedAtBytes, part.bytes),
    })
  }
  if (part.bytes < totalBytes)
    throw new BrokenOff(`the connection ended after ${inGigabytes(part.bytes)} of ${inGigabytes(totalBytes)}`)
}

/** An error page that calls itself a file is found at its first byte, not after gigabytes. */
async function refuseOther(
  chunk: Uint8Array,
  magic: string | undefined,
  what: string,
  part: PartFile,
): Promise<void> {
  const start = Buffer.from(chunk.subarray(0, magic?.length ?? 0)).toString('latin1')
  if (magic === undefined || magic.startsWith(start)) return
  await part.discard()
  throw new Misuse(`What the server sends is not ${what}: the file is of another kind. Check the address.`)
}

async function* breakingOff(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    throw new BrokenOff(`the connection was lost${code === undefined ? '' : ` (${code})`}`)
  }
}
