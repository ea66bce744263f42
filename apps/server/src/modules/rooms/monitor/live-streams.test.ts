import { text } from 'node:stream/consumers'
import type { BusTopic } from '@atrium/coordination'
import { waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { AppError } from '../../../kernel/app-error.ts'
import type { Watcher } from './live-feed.ts'
import { createLiveStreams } from './live-streams.ts'

/** The clock and the bus of the test, and whoever watches. Nobody is asked again unless the test says how often. */
function stage({ confirmEveryMs = 3_600_000 } = {}) {
  const watchers: Watcher[] = []
  const listeners = new Map<string, (message: never) => void>()
  let now = 1_000_000
  const streams = createLiveStreams({
    clock: { now: () => now },
    bus: { subscribe: (topic, listener) => void listeners.set(topic, listener) },
    lingerMs: 1,
    confirmEveryMs,
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
  const announce = (topic: BusTopic, message: object) => listeners.get(topic)?.(message as never)
  return { streams, watchers, request, announce, pass: (ms: number) => (now += ms), now: () => now }
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

test('[RM145] somebody who has read nothing for a minute is let go', async () => {
  const { streams, watchers, request, pass } = stage({ confirmEveryMs: 1 })
  await streams.open(request)
  watchers[0]?.push('x'.repeat(100_000), () => '')
  pass(60_001)
  await waitUntil(() => watchers.length === 0 || 'the place is still taken')
})

test('[RM145] everybody is asked again, and whoever lost access is let go', async () => {
  const { streams, watchers, request } = stage({ confirmEveryMs: 1 })
  const asked: string[] = []
  const open = (name: string, refusal: Error) =>
    streams.open({
      ...request,
      askAgain() {
        asked.push(name)
        return Promise.reject(refusal)
      },
    })
  await open('database', new AppError('UNAVAILABLE'))
  await open('network', new Error('the network'))
  const kept = [...watchers]
  await open('shares', new AppError('EXPERIMENT_NOT_FOUND'))
  await open('keys', new AppError('UNAUTHENTICATED'))
  await waitUntil(() => watchers.length === 2 || 'somebody without access still watches')
  // A database that is away for a moment says nothing about access.
  await waitUntil(() => asked.filter((name) => name === 'network').length > 2 || 'not asked often')
  expect(watchers).toEqual(kept)
})

test('[R15] [RM145] a stream whose key was revoked or whose share was withdrawn ends as soon as that is announced', async () => {
  const { streams, watchers, request, announce } = stage()
  const asked: string[] = []
  const open = (name: string, more: object) =>
    streams.open({
      ...request,
      ...more,
      askAgain() {
        asked.push(name)
        return Promise.reject(new AppError('UNAUTHENTICATED'))
      },
    })
  await open('with the key', { keyId: 'k1' })
  await open('with another key', { keyId: 'k2' })
  await open('another experiment', { experimentId: 'exp_2' })
  announce('keys_revoked', { keyIds: ['k1'] })
  await waitUntil(() => watchers.length === 2 || 'the key still watches')
  expect(asked).toEqual(['with the key'])
  announce('shares_changed', { experimentId: 'exp_2' })
  await waitUntil(() => watchers.length === 1 || 'the share still counts')
  expect(asked).toEqual(['with the key', 'another experiment'])
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
