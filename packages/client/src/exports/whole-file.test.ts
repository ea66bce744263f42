import { expect, test } from 'vitest'
import { NoAnswer } from '../errors.ts'
import { runningSha256 } from '../node/data-client.ts'
import { wholeFile } from './whole-file.ts'

const headers = { 'x-export-id': 'abc' }
const restFrom = (text: string) => ({ ...headers, 'x-export-offset': String(text.length) })

/** A response with these pieces, which then ends or breaks off. */
function response(pieces: string[], end: 'ends' | 'breaks off', its: Record<string, string> = headers) {
  const rest = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      const next = rest.shift()
      if (next !== undefined) stream.enqueue(new TextEncoder().encode(next))
      else if (end === 'ends') stream.close()
      else stream.error(new TypeError('terminated'))
    },
  })
  return new Response(body, { headers: its })
}

async function read(answers: (Response | Error)[], held?: { exportId: string; bytes: number; text: string }) {
  const asked: (string | undefined)[] = []
  const begun: string[] = []
  const failures: number[] = []
  const hash = runningSha256()
  if (held) hash.update(Buffer.from(held.text))
  const file = wholeFile({
    async open(resume) {
      asked.push(resume)
      const answer = answers.shift()
      if (answer instanceof Response) return answer
      throw answer ?? new Error('nothing more was expected')
    },
    hash,
    ...(held && { held }),
    async beforeRetry(error, count) {
      failures.push(count)
      if (!(error instanceof NoAnswer)) throw error
    },
    onBegun: (exportId) => void begun.push(exportId),
  })
  let text = ''
  const error = await (async () => {
    for await (const piece of file) text += Buffer.from(piece).toString()
  })().catch((thrown: unknown) => thrown)
  return { text, error, asked, begun, failures }
}

const tokenOf = (text: string) => {
  const hash = runningSha256()
  hash.update(Buffer.from(text))
  return `abc-${text.length}-${hash.hex()}`
}

test('[R47] a file that arrives is asked for once', async () => {
  const { text, error, asked, begun } = await read([response(['one ', 'two'], 'ends')])
  expect({ text, error, asked, begun }).toEqual({
    text: 'one two',
    error: undefined,
    asked: [undefined],
    begun: ['abc'],
  })
})

test('[R47] when it breaks off, the rest is asked for with what is there; failures in a row are counted', async () => {
  const { text, error, asked, begun, failures } = await read([
    response(['one ', 'two '], 'breaks off'),
    new NoAnswer('no network'),
    response(['three '], 'breaks off', restFrom('one two ')),
    response(['four'], 'ends', restFrom('one two three ')),
  ])
  expect({ text, error }).toEqual({ text: 'one two three four', error: undefined })
  const afterTwo = tokenOf('one two ')
  expect(asked).toEqual([undefined, afterTwo, afterTwo, tokenOf('one two three ')])
  expect(begun).toEqual(['abc'])
  expect(failures).toEqual([1, 2, 3])
})

test('[R47] what another process has left is continued', async () => {
  const { text, asked, begun } = await read([response(['two'], 'ends', restFrom('one '))], {
    exportId: 'abc',
    bytes: 4,
    text: 'one ',
  })
  expect({ text, asked, begun }).toEqual({ text: 'two', asked: [tokenOf('one ')], begun: [] })
})

test('[R47] nothing is asked for again if nothing says how to continue, or somebody gives up', async () => {
  const unnamed = await read([response(['one '], 'breaks off', {})])
  expect(unnamed.error).toBeInstanceOf(NoAnswer)
  expect(unnamed.failures).toEqual([])
  const refused = await read([response(['one '], 'breaks off'), new Error('EXPORT_CHANGED')])
  expect(refused.error).toEqual(new Error('EXPORT_CHANGED'))
  expect(refused.asked).toHaveLength(2)
})

test('[R47] a file that breaks off before its first byte is asked for from the beginning', async () => {
  const { text, asked } = await read([response([], 'breaks off'), response(['one'], 'ends')])
  expect({ text, asked }).toEqual({ text: 'one', asked: [undefined, undefined] })
})

test('[R47] whoever has made real progress may fail as often again', async () => {
  const megabyte = 'x'.repeat(2 ** 20)
  const { failures, text } = await read([
    response(['y'], 'breaks off'),
    response([megabyte], 'breaks off', restFrom('y')),
    response(['z'], 'ends', restFrom(`y${megabyte}`)),
  ])
  expect(failures).toEqual([1, 1])
  expect(text.length).toBe(megabyte.length + 2)
})

test.each([
  ['no platform at all', {}],
  ['another file', { 'x-export-id': 'other', 'x-export-offset': '4' }],
  ['the whole file once more', headers],
])('[R47] nothing is added to a file from %s', async (_, its) => {
  const { text, failures } = await read([
    response(['one '], 'breaks off'),
    response(['<html>'], 'ends', its),
    response(['two'], 'ends', restFrom('one ')),
  ])
  expect(text).toBe('one two')
  expect(failures).toEqual([1, 2])
})
