import { Readable } from 'node:stream'
import { experimentRoutes } from '@atrium/contract'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createRoutes } from './route.ts'

test('HEAD reads nothing of an export; GET sends all of it', async () => {
  const app = Fastify()
  const gate = { pass: async () => ({}) }
  let read = 0
  async function* lines() {
    for (let line = 0; line < 3; line++) {
      read++
      yield `{"line":${line}}\n`
    }
  }
  createRoutes(app, gate, { admit: async () => 'view' as const }).add(experimentRoutes.export, async () =>
    Readable.from(lines()),
  )
  const url = experimentRoutes.export.path.replace(':experimentId', 'exp_1')
  const head = await app.inject({ method: 'HEAD', url })
  expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
    200,
    'application/x-ndjson',
    '',
  ])
  expect(head.headers).not.toHaveProperty('content-length')
  expect(read).toBe(0)
  expect((await app.inject({ method: 'GET', url })).body.split('\n')).toHaveLength(4)
  expect(read).toBe(3)
  await app.close()
})
