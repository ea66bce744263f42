import { createHash, type Hash } from 'node:crypto'
import { S3Error } from '../http/s3-error.ts'
import { sha256Hex } from '../signature/canonical-request.ts'
import type { Payload } from '../signature/verify-request.ts'

/** Of a size line or a line of the trailer; clients send fewer than 150 bytes. */
const maxLineBytes = 1_024
const maxTrailerLines = 8
const sizeLine = /^([0-9a-f]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/i

type ChunkedPayload = Extract<Payload, { kind: 'chunked' }>
type State =
  | { kind: 'size' | 'separator' | 'trailer' | 'done' }
  | { kind: 'data'; left: number; hash: Hash | undefined; signature: string }

/**
 * Takes the encoding aws-chunked apart: `<hex size>[;chunk-signature=…]`, the bytes, and so on, an empty chunk, perhaps
 * a trailer. Bytes are passed on before their chunk's signature is known, so nothing may be published before the end.
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  { hasTrailer, signatures }: ChunkedPayload,
  onTrailer: (name: string, value: string) => void,
): AsyncGenerator<Buffer> {
  let state: State = { kind: 'size' }
  let line = ''
  const trailer: string[] = []

  function begin(text: string): State {
    const [, size, signature = ''] = sizeLine.exec(text) ?? []
    if (size === undefined) throw new S3Error('InvalidChunkSizeError')
    const left = Number.parseInt(size, 16)
    if (left > 0) return { kind: 'data', left, hash: signatures && createHash('sha256'), signature }
    if (signatures && !signatures.isNext(sha256Hex(''), signature)) throw new S3Error('SignatureDoesNotMatch')
    return { kind: 'trailer' }
  }

  function takeTrailer(text: string): State {
    if (text === '') {
      endTrailer()
      return { kind: 'done' }
    }
    trailer.push(text)
    if (!hasTrailer || trailer.length > maxTrailerLines) throw new S3Error('InvalidChunkSizeError')
    return { kind: 'trailer' }
  }

  function endTrailer(): void {
    const fields = trailer.map((text): [string, string] => {
      const colon = text.indexOf(':')
      return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()]
    })
    const signed = fields.filter(([name]) => name !== 'x-amz-trailer-signature')
    if (signatures && hasTrailer) {
      const [, signature = ''] = fields.find(([name]) => name === 'x-amz-trailer-signature') ?? []
      const text = signed.map(([name, value]) => `${name}:${value}\n`).join('')
      if (!signatures.isTrailer(sha256Hex(text), signature)) throw new S3Error('SignatureDoesNotMatch')
    }
    for (const [name, value] of signed) onTrailer(name, value)
  }

  function takeLine(text: string): State {
    if (state.kind === 'size') return begin(text)
    if (state.kind === 'trailer') return takeTrailer(text)
    if (state.kind === 'separator' && text === '') return { kind: 'size' }
    throw new S3Error('InvalidChunkSizeError')
  }

  for await (const chunk of source) {
    let at = 0
    while (at < chunk.length) {
      if (state.kind === 'data') {
        const bytes = chunk.subarray(at, at + state.left)
        at += bytes.length
        state.left -= bytes.length
        state.hash?.update(bytes)
        yield bytes
        if (state.left > 0) continue
        if (state.hash && !signatures?.isNext(state.hash.digest('hex'), state.signature))
          throw new S3Error('SignatureDoesNotMatch')
        state = { kind: 'separator' }
        continue
      }
      const end = chunk.indexOf('\n', at)
      line += chunk.toString('latin1', at, end < 0 ? chunk.length : end)
      if (line.length > maxLineBytes) throw new S3Error('InvalidChunkSizeError')
      if (end < 0) break
      at = end + 1
      if (!line.endsWith('\r')) throw new S3Error('InvalidChunkSizeError')
      const text = line.slice(0, -1)
      line = ''
      state = takeLine(text)
    }
  }
  if (state.kind !== 'done') throw new S3Error('IncompleteBody')
}
