import { text } from 'node:stream/consumers'
import { waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { AppError } from '../../../kernel/app-error.ts'
import type { Watcher } from './live-feed.ts'
import { createLiveStreams } from './live-streams.ts'

/** The clock of the test, and whoever watches. */
function stage() {
  const watchers: Watcher[] = []
  let now = 1_000_000
  const streams = createLiveStreams({
    clock: { now: () => now },
    lingerMs: 1,
    feed: {
      read: async () => {
        throw new Error('nobody asks')
      },
      join: async (_experimentId, watcher) => {
        watchers.push(watcher)
        return { first: 'whole 0;', leave: () => void watchers.splice(watchers.indexOf(watcher), 1) }
      },
    },
  })
  const request = {
    experimentId: 'exp_1',
    actor: 'issuer ada',
    expiresAt: undefined,
    askAgain: async () => {},
  }
  return { streams, watchers, request, pass: (ms: number) => (now += ms), now: () => now }
}

test('[RM145] a stream ends when the credential expires', async () => {
  const { streams, watchers, request, now } = stage()
  const body = await streams.open({ ...request, expiresAt: now() + 5 })
  expect(await text(body)).toBe('whole 0;')
  expect(watchers).toEqual([])
})

test('[RM145] somebody who reads slowly gets the whole picture instead of what they missed', async () => {
  const { streams, watchers, request } = stage()
  const body = await streams.open(request)
  const long = 'x'.repeat(100_000)
  const push = (change: string, whole: string) => watchers[0]?.push(change, () => whole)
  push(`${long};`, 'unused')
  push('missed;', 'whole 1;')
  push('missed too;', 'whole 2;')
  let read = ''
  for await (const chunk of body) {
    read += chunk
    if (read.endsWith('whole 2;')) break
  }
  expect(read).toBe(`whole 0;${long};whole 2;`)
})

test('[RM145] somebody who has read nothing for a minute is let go, and so is whoever lost access', async () => {
  const { streams, watchers, request, pass } = stage()
  await streams.open(request)
  const [stalled] = watchers
  stalled?.push('x'.repeat(100_000), () => '')
  expect(await stalled?.confirm()).toBe(true)
  pass(60_001)
  expect(await stalled?.confirm()).toBe(false)
  const refusals = [
    new AppError('EXPERIMENT_NOT_FOUND'),
    new AppError('UNAVAILABLE'),
    new Error('the network'),
  ]
  const verdicts: (boolean | undefined)[] = []
  for (const refusal of refusals) {
    await streams.open({ ...request, askAgain: () => Promise.reject(refusal) })
    verdicts.push(await watchers.at(-1)?.confirm())
  }
  // A database that is away for a moment says nothing about access.
  expect(verdicts).toEqual([false, true, true])
})

test('[RM145] when the instance drains, streams end and no new ones are opened', async () => {
  const { streams, request } = stage()
  const body = await streams.open(request)
  streams.stop()
  expect(await text(body)).toBe('whole 0;')
  await expect(streams.open(request)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('[RM145] a stream that has ended takes nothing more, and its place is free although nobody reads the rest', async () => {
  const { streams, watchers, request } = stage()
  const bodies = await Promise.all(Array.from({ length: 10 }, () => streams.open(request)))
  await expect(streams.open(request)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const errors: unknown[] = []
  for (const body of bodies) body.on('error', (error) => errors.push(error))
  for (const watcher of [...watchers]) {
    watcher.end()
    watcher.push('too late;', () => 'too late;')
    watcher.beat()
  }
  await waitUntil(() => watchers.length === 0 || 'somebody still watches')
  await streams.open(request)
  expect(errors).toEqual([])
})
