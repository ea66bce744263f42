import { expect, test } from 'vitest'
import { exportFileName } from './file-name.ts'

test.each([
  ['Public goods', 'public-goods-2026-08-03.jsonl'],
  ['../Étude #1: “prix”', 'e-tude-1-prix-2026-08-03.jsonl'],
  ['実験', 'experiment-2026-08-03.jsonl'],
])('%s becomes %s', (name, file) => {
  expect(exportFileName({ name, ending: 'jsonl' }, new Date('2026-08-03T10:00:00Z'))).toBe(file)
})
