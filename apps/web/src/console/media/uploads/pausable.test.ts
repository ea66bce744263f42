import { expect, test } from 'vitest'
import { createPausable } from './pausable.ts'

/** Attempts that end when the test says so, or when they are aborted. */
function play() {
  const attempts: { store(): void; fail(error: Error): void; isAborted(): boolean }[] = []
  const done: string[] = []
  const upload = createPausable({
    attempt: (signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        attempts.push({ store: () => resolve('v1'), fail: reject, isAborted: () => signal.aborted })
      }),
    remove: async () => void done.push('removed'),
  })
  return { upload, attempts, done }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('pausing ends the attempt, and resuming begins another', async () => {
  const { upload, attempts } = play()
  await settled()
  upload.pause()
  expect(attempts[0]?.isAborted()).toBe(true)
  upload.resume()
  upload.resume()
  await settled()
  expect(attempts).toHaveLength(2)
  attempts[1]?.store()
  await expect(upload.stored).resolves.toBe('v1')
})

test('an upload that is paused before its first attempt sends nothing', async () => {
  const { upload, attempts } = play()
  upload.pause()
  await settled()
  expect(attempts).toEqual([])
})

test('a failure is passed on', async () => {
  const { upload, attempts } = play()
  await settled()
  attempts[0]?.fail(new Error('no space'))
  await expect(upload.stored).rejects.toThrow('no space')
})

test('cancelling removes what is stored once the attempt has ended', async () => {
  const { upload, attempts, done } = play()
  await settled()
  await upload.cancel()
  expect(attempts[0]?.isAborted()).toBe(true)
  expect(done).toEqual(['removed'])
})
