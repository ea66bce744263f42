import { expect, test } from 'vitest'
import { checkText } from '../definition/check-text.ts'
import { snippetFor } from './snippet.ts'

test.each([90_000, null])('the snippet is a valid state of a definition (length: %s)', (durationMs) => {
  const snippet = snippetFor({ videoId: 'vid_1', durationMs })
  const { definition, findings } = checkText(`{ "name": "Film", "states": [${snippet}] }`)
  expect(findings).toEqual([])
  expect(definition?.states[0]?.components[0]).toMatchObject({ type: 'video', videoId: 'vid_1' })
})
