import { expect, test } from 'vitest'
import type { BeginOptions } from './begin-upload.ts'
import { createUploadQueue } from './upload-queue.ts'

interface Sent {
  name: string
  options: BeginOptions
  calls: string[]
  store(): void
  fail(error: Error): void
}

/** A queue in front of an uploader that does what the test says. */
function play({ cancelError }: { cancelError?: Error } = {}) {
  const sent: Sent[] = []
  const told: string[] = []
  let nowMs = 0
  const queue = createUploadQueue({
    nowMs: () => (nowMs += 1_000),
    messageOf: String,
    onStored: async ({ name }) => told.push(`stored ${name}`),
    onRecordsChanged: () => told.push('records'),
    onCancelFailed: ({ name }) => told.push(`not cancelled ${name}`),
    begin({ name }, options) {
      const { promise: done, resolve, reject } = Promise.withResolvers<{ videoId: string; key: string }>()
      const calls: string[] = []
      const store = () => resolve({ videoId: `video of ${name}`, key: name })
      sent.push({ name, options, calls, store, fail: reject })
      return {
        done,
        pause: () => void calls.push('pause'),
        resume: () => void calls.push('resume'),
        async abort() {
          calls.push('abort')
          if (cancelError) throw cancelError
        },
      }
    },
  })
  const add = (...names: string[]) => {
    for (const name of names) queue.add(new File(['12345678'], name))
  }
  const states = () => queue.entries().map(({ file, state }) => `${file.name} ${state.kind}`)
  const idOf = (name: string) => queue.entries().find(({ file }) => file.name === name)?.id ?? -1
  const sentAt = (index: number) => {
    const found = sent[index]
    if (!found) throw new Error(`nothing was sent at ${index}`)
    return found
  }
  return { queue, add, states, idOf, sent, sentAt, told }
}

const sentSoFar = (sentBytes: number) => ({ kind: 'uploading', sentBytes, totalBytes: 8 }) as const

/** Lets the promises settle that are already decided. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('files are sent one after the other, and disappear when the platform has them', async () => {
  const { add, states, sentAt, told } = play()
  add('a', 'b')
  expect(states()).toEqual(['a sending', 'b queued'])
  sentAt(0).store()
  await settled()
  expect(states()).toEqual(['b sending'])
  expect(told).toEqual(['stored a'])
})

test('progress is counted while a file is sent, and not after it was paused', () => {
  const { add, queue, sentAt, idOf } = play()
  add('a')
  sentAt(0).options.onProgress(sentSoFar(3))
  expect(queue.entries()[0]?.sentBytes).toBe(3)
  queue.pause(idOf('a'))
  sentAt(0).options.onProgress(sentSoFar(8))
  expect(queue.entries()[0]).toMatchObject({ sentBytes: 3, samples: [] })
})

test('a paused file lets the next one pass, and waits for it when it is resumed', async () => {
  const { add, queue, states, sentAt, idOf } = play()
  add('a', 'b')
  queue.pause(idOf('a'))
  expect(states()).toEqual(['a paused', 'b sending'])
  queue.resume(idOf('a'))
  expect(states()).toEqual(['a queued', 'b sending'])
  expect(sentAt(0).calls).toEqual(['pause'])
  sentAt(1).store()
  await settled()
  expect(states()).toEqual(['a sending'])
  expect(sentAt(0).calls).toEqual(['pause', 'resume'])
})

test('[R31] a file that failed is tried again where it stopped', async () => {
  const { add, queue, states, sent, sentAt, idOf, told } = play()
  add('a', 'b')
  sentAt(0).options.onBegun({ videoId: 'v', uploadId: 'u', key: 'k' })
  sentAt(0).fail(new Error('no space'))
  await settled()
  expect(queue.entries()[0]?.state).toEqual({ kind: 'failed', message: 'Error: no space' })
  expect(states()[1]).toBe('b sending')
  queue.resume(idOf('a'))
  sentAt(1).store()
  await settled()
  expect(sent).toHaveLength(3)
  expect(sentAt(2).options.unfinished).toEqual({ videoId: 'v', uploadId: 'u', key: 'k' })
  expect(told).toEqual(['records', 'stored b'])
})

test('a cancelled file is removed from the platform, even if it failed before', async () => {
  const { add, queue, states, sentAt, idOf } = play()
  add('a', 'b')
  sentAt(0).fail(new Error('no space'))
  await settled()
  await queue.cancel(idOf('a'))
  expect(sentAt(0).calls).toEqual(['abort'])
  expect(states()).toEqual(['b sending'])
})

test('a file that is stored while it is cancelled does not come back', async () => {
  const { add, queue, states, sentAt, idOf, told } = play()
  add('a')
  const cancelling = queue.cancel(idOf('a'))
  sentAt(0).store()
  await cancelling
  await settled()
  expect(states()).toEqual([])
  expect(told).toEqual(['records'])
})

test('what could not be removed is reported, and the queue goes on', async () => {
  const { add, queue, states, idOf, told } = play({ cancelError: new Error('no answer') })
  add('a', 'b')
  await queue.cancel(idOf('a'))
  expect(states()).toEqual(['b sending'])
  expect(told).toEqual(['not cancelled a', 'records'])
})

test('an upload that is continued is in the queue only once', () => {
  const { queue, states } = play()
  const unfinished = { videoId: 'v', uploadId: 'u', key: 'k' }
  queue.add(new File(['1'], 'a'), unfinished)
  queue.add(new File(['1'], 'a'), unfinished)
  expect(states()).toEqual(['a sending'])
})

test('when nobody is there any more, sending stops but nothing is removed', () => {
  const { add, queue, states, sentAt } = play()
  add('a', 'b')
  queue.close()
  expect(sentAt(0).calls).toEqual(['pause'])
  expect(states()).toEqual([])
})
