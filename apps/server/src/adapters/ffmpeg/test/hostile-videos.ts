// Videos that somebody has changed by hand, so that reading them costs more than they hold, or leads elsewhere.

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

function* boxesIn(bytes: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    yield { type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + 8, at + size) }
    at += size
  }
}

const parents = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf'])

/** An MP4 or MOV in which `change` has replaced boxes. Its index must come after its pictures, whose place must not change. */
function changeBoxes(video: Buffer, change: (type: string, content: Buffer) => Buffer): Buffer {
  return Buffer.concat(
    [...boxesIn(video)].map(({ type, content }) => {
      const changed = change(type, content)
      return box(type, parents.has(type) ? changeBoxes(changed, change) : changed)
    }),
  )
}

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** A video that says that its pictures are in another file. */
export const withPicturesElsewhere = (video: Buffer, address: string): Buffer =>
  changeBoxes(video, (type, content) =>
    type === 'dref'
      ? Buffer.concat([u32(0, 1), box('url ', Buffer.concat([u32(0), Buffer.from(`${address}\0`)]))])
      : content,
  )

/** The same track, `count` times. */
export const withTracks = (video: Buffer, count: number): Buffer =>
  changeBoxes(video, (type, content) => {
    if (type !== 'moov') return content
    const boxes = [...boxesIn(content)]
    const track = boxes.find((child) => child.type === 'trak')?.content ?? Buffer.alloc(0)
    const others = boxes.filter((child) => child.type !== 'trak')
    return Buffer.concat([
      ...others.map((child) => box(child.type, child.content)),
      ...Array.from({ length: count }, () => box('trak', track)),
    ])
  })

/** Boxes within boxes. */
export function nestedBoxes(depth: number): Buffer {
  const heads = Array.from({ length: depth }, (_, index) =>
    box(index % 2 === 0 ? 'moov' : 'trak', Buffer.alloc(0)),
  )
  for (const [index, head] of heads.entries()) head.writeUInt32BE(8 * (depth - index))
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2', 'latin1')), ...heads])
}

/** Bytes that no player looks at, so that a video does not seem to be too small for its length. */
export const padding = (bytes: number): Buffer => box('free', Buffer.alloc(bytes))

/** An AVI whose sound claims another rate. */
export function withSampleRate(avi: Buffer, hz: number): Buffer {
  const bytes = Buffer.from(avi)
  const sound = bytes.indexOf('strf', bytes.indexOf('auds'))
  bytes.writeUInt32LE(hz, sound + 8 + 4)
  return bytes
}
