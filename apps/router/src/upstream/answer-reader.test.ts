import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnswerHead } from './answer-head.ts'
import { AnswerReader } from './answer-reader.ts'

interface Heard {
  heads: AnswerHead[]
  body: string
  surplus: string
  isOver: boolean
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')

/** Reads the pieces as they come from a connection, which then closes. The buffer they stand in is used again. */
function hear(pieces: Buffer[], isToHead = false): Heard {
  const heard: Heard = { heads: [], body: '', surplus: '', isOver: false }
  const reader = new AnswerReader()
  reader.expect(
    {
      onHead: (head) => void heard.heads.push(head),
      onBody: (bytes) => {
        heard.body += bytes.toString('latin1')
      },
    },
    isToHead,
  )
  for (const piece of pieces) {
    const shared = Buffer.from(piece)
    heard.surplus += reader.isOver ? shared.toString('latin1') : reader.read(shared).toString('latin1')
    shared.fill('!')
  }
  heard.isOver = reader.close()
  return heard
}

const hearText = (text: string, isToHead?: boolean): Heard => hear([bytesOf(text)], isToHead)

const token = fc.string({ unit: fc.constantFrom(...'abcXYZ09-_.!~'), minLength: 1, maxLength: 12 })
const value = fc
  .string({ unit: fc.constantFrom(...'ab 09:;,="\t\xe9\xff'), maxLength: 20 })
  .map((text) => text.trim())
const body = fc.string({ unit: fc.constantFrom(...'ab\r\n0;\x00\xff'), maxLength: 200 })
const header = fc.tuple(
  token.filter((name) => !/^(connection|keep-alive|te|upgrade|trailer)$/i.test(name)),
  value,
)

const inChunks = (parts: string[], end: string): string =>
  parts
    .filter(Boolean)
    .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
    .join('') + end

/** An answer with what is to be understood of it. */
const answer = fc
  .record({
    status: fc.constantFrom(200, 201, 404, 413, 500, 503, 599),
    reason: value,
    headers: fc.array(header, { maxLength: 6 }),
    parts: fc.array(body, { maxLength: 4 }),
    framing: fc.constantFrom('length', 'chunks', 'chunks with trailers'),
    interim: fc.constantFrom(
      '',
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n',
    ),
  })
  .map(({ status, reason, headers, parts, framing, interim }) => {
    const content = parts.join('')
    const frame = framing === 'length' ? `Content-Length: ${content.length}` : 'Transfer-Encoding: chunked'
    const lines = [...headers.map(([name, said]) => `${name}: ${said}`), frame]
    const end = framing === 'chunks' ? '0\r\n\r\n' : '0;ext=1\r\nX-Sum: 1\r\n\r\n'
    return {
      ...{ status, reason, headers, content },
      text: `${interim}HTTP/1.1 ${status} ${reason}\r\n${lines.join('\r\n')}\r\n\r\n${
        framing === 'length' ? content : inChunks(parts, end)
      }`,
    }
  })

/** The bytes in pieces of the given lengths; what is left is the last one. */
function cut(bytes: Buffer, lengths: number[]): Buffer[] {
  const pieces: Buffer[] = []
  let at = 0
  for (const length of lengths) {
    if (at >= bytes.length) break
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return at < bytes.length ? [...pieces, bytes.subarray(at)] : pieces
}

describe('an answer', () => {
  test('is understood alike, however its bytes are cut into pieces', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 200 })
    const property = fc.property(answer, lengths, ({ status, reason, headers, content, text }, cuts) => {
      const heard = hear(cut(bytesOf(text), cuts))
      expect(heard.heads).toHaveLength(1)
      expect([heard.heads[0]?.status, heard.heads[0]?.reason]).toEqual([status, reason])
      const withoutLength = heard.heads[0]?.headers.filter(
        (_, at, all) => all[at - (at % 2)] !== 'Content-Length',
      )
      expect(withoutLength).toEqual(headers.flat())
      expect([heard.body, heard.surplus, heard.isOver]).toEqual([content, '', true])
    })
    fc.assert(property, { numRuns: 500 })
  })

  test('is understood as Node understands it', async () => {
    let text = ''
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(bytesOf(text)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const property = fc.asyncProperty(answer, async (said) => {
      text = said.text
      const asked = request({ port, host: '127.0.0.1', agent: false }).end()
      const [theirs] = (await once(asked, 'response')) as [IncomingMessage]
      const ours = hearText(text)
      const endToEnd = theirs.rawHeaders.filter((_, at, all) => all[at - (at % 2)] !== 'Transfer-Encoding')
      expect(ours.heads[0]).toMatchObject({
        status: theirs.statusCode,
        reason: theirs.statusMessage,
        headers: endToEnd,
      })
      expect(ours.body).toBe((await buffer(theirs)).toString('latin1'))
    })
    await fc.assert(property, { numRuns: 200 })
    server.close()
  })

  test.each([
    ['to HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', true],
    ['to HEAD, of chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', true],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n', false],
    ['304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n', false],
  ])('%s ends with its head', (_name, text, isToHead) => {
    expect(hearText(`${text}after`, isToHead)).toMatchObject({ body: '', surplus: 'after', isOver: true })
  })

  test('without a length ends with its connection, which is not kept', () => {
    expect(hearText('HTTP/1.1 200 OK\r\n\r\nall of it')).toMatchObject({ body: 'all of it', isOver: true })
  })

  test.each([
    ['in the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['in a body with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfour'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfour'],
    ['before the last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n'],
    ['in the trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n'],
    ['before it has begun', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('that breaks off %s is not whole', (_name, text) => {
    expect(hearText(text).isOver).toBe(false)
  })

  test('what follows it belongs to nobody', () => {
    const text = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n'
    expect(hearText(text)).toMatchObject({ body: 'ok', surplus: 'HTTP/1.1 200 OK\r\n\r\n' })
  })
})

describe('is refused', () => {
  const ok = 'HTTP/1.1 200 OK\r\n'
  test.each([
    ['no HTTP', 'what is this\r\n\r\n'],
    ['another version', 'HTTP/2 200 OK\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status beyond three digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['a line end within the reason', 'HTTP/1.1 200 O\nK\r\n\r\n'],
    ['a header without a colon', `${ok}Name\r\n\r\n`],
    ['a header without a name', `${ok}: x\r\n\r\n`],
    ['a space before the colon', `${ok}Content-Length : 5\r\n\r\n`],
    ['a folded header', `${ok}X: a\r\n b\r\n\r\n`],
    ['a line end within a value', `${ok}X: a\nSet-Cookie: b\r\n\r\n`],
    ['a NUL within a value', `${ok}X: a\x00b\r\n\r\n`],
    ['two lengths', `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ['a list of lengths', `${ok}Content-Length: 1, 1\r\n\r\na`],
    ['a negative length', `${ok}Content-Length: -1\r\n\r\n`],
    ['a length with a sign', `${ok}Content-Length: +1\r\n\r\na`],
    ['a length beyond counting', `${ok}Content-Length: 99999999999999999999\r\n\r\n`],
    ['a length and chunks', `${ok}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a coding that would be lost', `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunks twice', `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a chunk without a size', `${ok}Transfer-Encoding: chunked\r\n\r\n\r\n`],
    ['a chunk with a sign', `${ok}Transfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n`],
    ['a chunk longer than its size', `${ok}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n`],
    ['a chunk beyond counting', `${ok}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`],
    ['a bare line end after a size', `${ok}Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n`],
    ['bare line ends', 'HTTP/1.1 200 OK\nContent-Length: 1\n\na'],
    ['an endless head', `${ok}X: ${'a'.repeat(20_000)}`],
    ['an endless size', `${ok}Transfer-Encoding: chunked\r\n\r\n${'0'.repeat(2_000)}`],
    ['endless trailers', `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n${'X: y\r\n'.repeat(6_000)}`],
    ['leaving HTTP unasked', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ])('%s', (_name, text) => {
    expect(() => hearText(text)).toThrow('the backend')
    // In single bytes too: nothing may slip through between them.
    expect(() => hear(cut(bytesOf(text), Array(text.length).fill(1)))).toThrow('the backend')
  })
})

describe('the connection is kept', () => {
  const keepMsOf = (head: string): number | undefined =>
    hearText(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\n${head}\r\n`).heads[0]?.keepMs
  test.each([
    ['shorter than a Node server keeps it', '', 4_000],
    ['shorter than it says', 'Keep-Alive: timeout=3, max=5\r\n', 2_000],
    ['not longer because it says so', 'Keep-Alive: timeout=600\r\n', 4_000],
    ['not when it says nearly nothing', 'Keep-Alive: timeout=1\r\n', 0],
    ['not when it says close', 'Connection: close\r\n', 0],
    ['not when it says close among others', 'Connection: X-Private, Close\r\n', 0],
  ])('%s', (_name, head, keepMs) => {
    expect(keepMsOf(head)).toBe(keepMs)
  })
  test('not by HTTP/1.0', () => {
    expect(hearText('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n').heads[0]?.keepMs).toBe(0)
  })
})
