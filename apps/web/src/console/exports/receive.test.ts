import { expect, test } from 'vitest'
import { type Received, receive } from './receive.ts'

async function* streamOf(chunks: string[], breaksWith?: Error): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (const chunk of chunks) yield new TextEncoder().encode(chunk)
  if (breaksWith) throw breaksWith
}

function sinkThatKeeps() {
  const kept = { text: '', end: 'open' }
  const decoder = new TextDecoder()
  return {
    kept,
    async write(chunk: Uint8Array) {
      kept.text += decoder.decode(chunk, { stream: true })
    },
    async close() {
      kept.end = 'closed'
    },
    async abort() {
      kept.end = 'aborted'
    },
  }
}

test('everything arrives in order and is counted', async () => {
  const sink = sinkThatKeeps()
  const steps: Received[] = []
  const received = await receive(streamOf(['{"a":1}\n{"b"', ':"ü"}\n', '{}\n']), sink, (step) =>
    steps.push(step),
  )
  expect(sink.kept).toEqual({ text: '{"a":1}\n{"b":"ü"}\n{}\n', end: 'closed' })
  expect(received).toEqual({ bytes: 22, lines: 3 })
  expect(steps.map(({ lines }) => lines)).toEqual([1, 2, 3])
})

test('an interrupted stream leaves no partial file', async () => {
  const sink = sinkThatKeeps()
  const broken = receive(streamOf(['{"a":1}\n'], new Error('connection lost')), sink, () => undefined)
  await expect(broken).rejects.toThrow('connection lost')
  expect(sink.kept.end).toBe('aborted')
})

test('an empty export is a file of no bytes', async () => {
  const sink = sinkThatKeeps()
  expect(await receive(streamOf([]), sink, () => undefined)).toEqual({ bytes: 0, lines: 0 })
  expect(sink.kept.end).toBe('closed')
})
