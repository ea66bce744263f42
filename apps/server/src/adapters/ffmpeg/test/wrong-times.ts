const tagLength = 20

/** A Matroska file whose tag of one stream (0: picture, 1: sound) says that the stream lasts for more than a year. */
export function withStreamOfAYear(matroska: Buffer, stream: 0 | 1): Buffer {
  const tags = [...matroska.toString('latin1').matchAll(/00:00:\d\d\.\d{9}\0\0/g)]
  const bytes = Buffer.from(matroska)
  if (bytes.write('9999:00:00.000000000', tags[stream]?.index ?? bytes.length, 'latin1') !== tagLength)
    throw new Error('the file has no such tag')
  return bytes
}

const flv = { headBytes: 13, tagHeadBytes: 11, tagEndBytes: 4, video: 9 }

/** A Flash file whose pictures from `fromMs` on come `laterMs` later; its header stays as it is. */
export function withLatePictures(flash: Buffer, { fromMs, laterMs }: { fromMs: number; laterMs: number }) {
  const bytes = Buffer.from(flash)
  for (let at = flv.headBytes; at + flv.tagHeadBytes <= bytes.length; ) {
    const timeMs = bytes.readUIntBE(at + 4, 3) + bytes.readUInt8(at + 7) * 2 ** 24
    if (bytes.readUInt8(at) === flv.video && timeMs >= fromMs) {
      bytes.writeUIntBE((timeMs + laterMs) % 2 ** 24, at + 4, 3)
      bytes.writeUInt8(Math.floor((timeMs + laterMs) / 2 ** 24), at + 7)
    }
    at += flv.tagHeadBytes + bytes.readUIntBE(at + 1, 3) + flv.tagEndBytes
  }
  return bytes
}
