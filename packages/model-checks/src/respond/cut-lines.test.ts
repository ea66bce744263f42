import { expect, it } from 'vitest'
import { createLineCutter } from './cut-lines.ts'
import { reassemble } from './streamed-call.ts'

it('[MC20] cuts lines at either kind of end, in whatever pieces they come', () => {
  const text = 'one\r\n\ntwo\rthree\r\nfour'
  for (const size of [1, 2, 3, text.length]) {
    const lines = createLineCutter()
    const cut = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      lines.add(text.slice(index * size, (index + 1) * size)),
    )
    expect(cut.flat()).toEqual(['one', '', 'two\rthree'])
    expect([lines.rest(), lines.restChars]).toEqual(['four', 4])
  }
})

it('[MC20] a line that comes character by character takes no longer than its characters', () => {
  const streamed = reassemble()
  for (let index = 0; index < 500_000; index++) streamed.add('x')
  expect(streamed.add('\ndata: [DONE]\n')).toBe(false)
  expect(streamed.isDone()).toBe(true)
})
