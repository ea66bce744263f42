import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isExample } from './secrets.ts'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))
const assigned = /\b(?:SESSION_SECRET|INTERNAL_API_KEY|S3_SECRET_ACCESS_KEY)=([\w-]+)/g

test('[R50] the doctor knows every secret that the documentation shows', () => {
  const shown = globSync(['README.md', 'docs/*.md'], { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(assigned)].map(([, secret = '']) => secret),
  )
  expect(shown.length).toBeGreaterThan(0)
  expect(shown.filter((secret) => !isExample(secret))).toEqual([])
})
