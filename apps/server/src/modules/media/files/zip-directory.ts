/** A file in a ZIP, as the directory at its end lists it. Nothing of it has been read or believed yet. */
export interface ZipEntry {
  name: string
  isStored: boolean
  crc32: number
  packedBytes: number
  bytes: number
  /** Where its local header begins. */
  offset: number
}

/** What is wrong with a ZIP, as the end of a sentence that begins with its name. */
export class BadZip extends Error {}

export type ReadAt = (position: number, length: number) => Promise<Buffer>

const endBytes = 22
const longestComment = 65_535
const entryBytes = 46
const localBytes = 30
/** Names of 255 characters, with extra fields, for each file. */
const maxDirectoryBytes = 4_194_304

/** Reads the list of files at the end of a ZIP. */
export async function readZipDirectory(
  readAt: ReadAt,
  size: number,
  maxEntries: number,
): Promise<ZipEntry[]> {
  const { count, position, bytes } = await findDirectory(readAt, size)
  if (count > maxEntries) throw new BadZip(`has ${count} entries; at most ${maxEntries} are taken at a time`)
  if (bytes > maxDirectoryBytes || position + bytes > size) throw damaged()
  const directory = await readAt(position, bytes)
  const entries: ZipEntry[] = []
  for (let at = 0, index = 0; index < count; index++) {
    const { entry, next } = readEntry(directory, at)
    entries.push(entry)
    at = next
  }
  return entries
}

/** Where the bytes of a file begin: its local header may be longer than the directory says. */
export async function contentStart(readAt: ReadAt, { offset }: ZipEntry): Promise<number> {
  const header = await readAt(offset, localBytes)
  if (header.length < localBytes || header.readUInt32LE(0) !== 0x04034b50) throw damaged()
  return offset + localBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
}

async function findDirectory(readAt: ReadAt, size: number) {
  const length = Math.min(size, endBytes + longestComment)
  const tail = await readAt(size - length, length)
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue
    // A comment may contain the mark, too; the true one is followed by as many bytes as it says.
    if (at + endBytes + tail.readUInt16LE(at + 20) !== tail.length) continue
    const count = tail.readUInt16LE(at + 10)
    const position = tail.readUInt32LE(at + 16)
    if (tail.readUInt16LE(at + 8) !== count) throw new BadZip('is one of several parts; upload one whole ZIP')
    if (count === 0xffff || position === 0xffffffff)
      throw new BadZip('is in the format for very large ZIPs; upload fewer files at a time')
    return { count, position, bytes: tail.readUInt32LE(at + 12) }
  }
  throw damaged()
}

function readEntry(directory: Buffer, at: number): { entry: ZipEntry; next: number } {
  if (at + entryBytes > directory.length || directory.readUInt32LE(at) !== 0x02014b50) throw damaged()
  const nameEnd = at + entryBytes + directory.readUInt16LE(at + 28)
  const next = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  if (next > directory.length) throw damaged()
  const name = directory.toString('utf8', at + entryBytes, nameEnd)
  if (directory.readUInt16LE(at + 8) & 1) throw new BadZip('is encrypted; upload one without a password')
  const method = directory.readUInt16LE(at + 10)
  if (method !== 0 && method !== 8)
    throw new BadZip('is packed in a way that is not taken here; pack it again as an ordinary ZIP')
  return {
    entry: {
      name,
      isStored: method === 0,
      crc32: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    },
    next,
  }
}

const damaged = (): BadZip => new BadZip('is damaged: its list of files cannot be read')
