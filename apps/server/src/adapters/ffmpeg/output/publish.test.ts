import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { objectKeys } from '@atrium/contract'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll, expect, test } from 'vitest'
import { AppError } from '../../../kernel/app-error.ts'
import { createMemoryObjects } from '../test/memory-objects.ts'
import { publish } from './publish.ts'

const folder = createTemporaryFolder('publishing')
const names = ['master_360p_00001.ts', 'master_360p_00002.ts', 'master_360p.m3u8']
for (const name of names) writeFileSync(join(folder.path, name), `content of ${name}`)
afterAll(() => folder.remove())

/** A run that ends in a store which refuses each key as often as `refuse` says. */
async function publishTo(
  refuse: (key: string, attempt: number) => Error | undefined,
  stop = new AbortController(),
) {
  const objects = createMemoryObjects()
  const attempts = new Map<string, number>()
  objects.beforePut = (key) => {
    const attempt = (attempts.get(key) ?? 0) + 1
    attempts.set(key, attempt)
    const refusal = refuse(key, attempt)
    if (refusal) throw refusal
  }
  const ended = publish({
    store: objects,
    videoId: 'v1',
    folder: folder.path,
    names,
    master: '#EXTM3U',
    signal: stop.signal,
    onStored: () => undefined,
    warn: () => undefined,
  })
  const failure = await ended.then(
    () => undefined,
    (error: unknown) => error,
  )
  return { objects, attempts, failure }
}

test('[T11] what a busy store does not take is sent again, from its first byte', async () => {
  const { objects, failure } = await publishTo((_, attempt) =>
    attempt === 1 ? new AppError('UNAVAILABLE') : undefined,
  )
  expect(failure).toBeUndefined()
  for (const name of names)
    expect(objects.contents.get(objectKeys.hlsPrefix('v1') + name)?.bytes.toString()).toBe(
      `content of ${name}`,
    )
  expect([...objects.contents.keys()].at(-1)).toBe(objectKeys.manifest('v1'))
})

test('[T11] what can never be stored is not sent again, and an aborted run waits no longer', async () => {
  const full = await publishTo((key) => (key.endsWith('.m3u8') ? new AppError('STORAGE_FULL') : undefined))
  expect(full.failure).toMatchObject({ code: 'STORAGE_FULL' })
  expect(Math.max(...full.attempts.values())).toBe(1)
  expect(full.objects.contents.size).toBe(0)
  const stop = new AbortController()
  const reason = new Error('superseded')
  const aborted = await publishTo(() => {
    stop.abort(reason)
    return new AppError('UNAVAILABLE')
  }, stop)
  expect(aborted.failure).toBe(reason)
})
