import { crc32, deflateSync } from 'node:zlib'

/** One grey pixel: the smallest picture. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

/** A tone of one sample: the shortest WAV that browsers play. */
export const tone = Buffer.concat([
  Buffer.from(
    'RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x02\0\0\0',
    'latin1',
  ),
  Buffer.alloc(2),
])

/** A PNG of 32 × 24 pixels, another one for each number. */
export function pictureOf(number: number): Buffer {
  const [width, height] = [32, 24]
  const line = (y: number) => [
    0,
    ...Array.from({ length: width }, (_, x) => [(number * 67) % 256, x * 8, y * 10]).flat(),
  ]
  const pixels = Buffer.from(Array.from({ length: height }, (_, y) => line(y)).flat())
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

/** A ZIP whose files are stored as they are. */
export function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const entries: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path)
    // Version, flags, method, time, date, checksum, sizes, length of the name, of what follows it.
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(10, 0)
    facts.writeUInt32LE(crc32(content), 10)
    facts.writeUInt32LE(content.length, 14)
    facts.writeUInt32LE(content.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const at = Buffer.alloc(14)
    at.writeUInt32LE(offset, 10)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), facts, name, content])
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x0a\x00'), facts, at, name]))
    entries.push(entry)
    offset += entry.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...entries, ...directory, Buffer.from('PK\x05\x06'), end])
}
