import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { CallFailed } from '../../api/call.ts'
import { openFile } from './open-file.ts'

/** A response with this text, which breaks off after it. */
function brokenResponse(text: string, headers: Record<string, string>) {
  let isSent = false
  const body = new ReadableStream<Uint8Array>({
    pull(stream) {
      if (isSent) return stream.error(new TypeError('network error'))
      isSent = true
      stream.enqueue(new TextEncoder().encode(text))
    },
  })
  return new Response(body, { headers })
}

async function save(answers: (Response | Error)[], controller = new AbortController()) {
  const asked: (string | undefined)[] = []
  let [text, interruptions] = ['', 0]
  const bytes = openFile({
    async request(resume) {
      asked.push(resume)
      const answer = answers.shift()
      if (answer instanceof Response) return answer
      throw answer ?? new Error('nothing more was expected')
    },
    signal: controller.signal,
    onInterrupted: () => void interruptions++,
  })
  const error = await (async () => {
    for await (const piece of bytes) text += new TextDecoder().decode(piece)
  })().catch((thrown: unknown) => thrown)
  return { text, error, asked, interruptions }
}

const named = { 'x-export-id': 'abc' }

test('[D20] a download continues by itself with the hash of what is there', async () => {
  const { text, error, asked, interruptions } = await save([
    brokenResponse('one ', named),
    new Response('two', { headers: { ...named, 'x-export-offset': '4' } }),
  ])
  expect({ text, error, interruptions }).toEqual({ text: 'one two', error: undefined, interruptions: 1 })
  expect(asked).toEqual([undefined, `abc-4-${createHash('sha256').update('one ').digest('hex')}`])
})

test('[D20] a refusal, and a file that cannot be continued, are said at once', async () => {
  const refused = new CallFailed('EXPORT_CHANGED', 'The data has changed.', 409)
  expect((await save([brokenResponse('one ', named), refused])).error).toBe(refused)
  expect((await save([brokenResponse('one ', {})])).error).toBeInstanceOf(Error)
  const silent = new CallFailed('NO_ANSWER', 'No answer.', 0)
  expect(await save([silent])).toMatchObject({ error: silent, asked: [undefined], interruptions: 0 })
})
