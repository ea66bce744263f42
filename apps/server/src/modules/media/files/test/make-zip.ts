import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A ZIP as programs write them, and with names that only hostile ones write. */
export async function makeZip(files: Readonly<Record<string, Uint8Array>>, compress = true): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) {
    if (path.endsWith('/')) zip.addEmptyDirectory(path)
    else zip.addBuffer(Buffer.from(content), harmless(path), { compress })
  }
  zip.end()
  const bytes = await buffer(zip.outputStream)
  for (const path of Object.keys(files)) replaceAll(bytes, harmless(path), path)
  return bytes
}

/** As many bytes, which the program that packs does not refuse. */
const harmless = (path: string): string => path.replaceAll('..', '@@').replaceAll('\\', '@')

function replaceAll(bytes: Buffer, from: string, to: string): void {
  if (from === to) return
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at)
}

export const readerOf =
  (bytes: Uint8Array) =>
  async (position: number, length: number): Promise<Buffer> =>
    Buffer.from(bytes.subarray(position, position + length))

/** Where the list of files of a ZIP without a comment begins. */
export const directoryOf = (zip: Buffer): number => zip.readUInt32LE(zip.length - 22 + 16)
