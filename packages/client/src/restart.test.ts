import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import type { FakePlatform } from './test/fake-platform.ts'
import { setUpPlatform } from './test/set-up.ts'

const program = fileURLToPath(new URL('./test/recorder.ts', import.meta.url))

function startRecorder(platform: FakePlatform, folder: string, from: number, to: number) {
  const child = spawn(process.execPath, [program, platform.baseUrl, folder, String(from), String(to)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const said = (word: string) =>
    waitUntil(() => output.includes(word) || `the recorder has not said ‘${word}’ yet`, { timeoutMs: 20_000 })
  return { child, said }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

function temporaryFolder(): string {
  const folder = createTemporaryFolder('restart')
  onTestFinished(() => folder.remove())
  return folder.path
}

const numbers = (to: number): string[] => Array.from({ length: to }, (_, index) => `e${index + 1}`)

test('killed between two batches and started again, every event arrives exactly once, in order', async () => {
  const platform = await setUpPlatform()
  const folder = temporaryFolder()
  platform.mishaps.events.push('well', 'well', 'hang')
  const first = startRecorder(platform, folder, 1, 350)
  await first.said('recorded')
  await waitUntil(() => platform.mishaps.events.length === 0 || 'the third batch has not come yet')
  await kill(first.child)
  const before = platform.stored.length
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThan(350)

  const second = startRecorder(platform, folder, 351, 400)
  await second.said('flushed')
  expect(platform.storedIds()).toEqual(numbers(400))
  expect(new Set(platform.stored.map(({ participantId }) => participantId)).size).toBe(1)
})

test('killed while a stored batch is not acknowledged yet: nothing is lost, and the ids tell what came twice', async () => {
  const platform = await setUpPlatform()
  const folder = temporaryFolder()
  platform.mishaps.events.push('well', 'drop_reply', 'hang')
  const first = startRecorder(platform, folder, 1, 250)
  await waitUntil(() => platform.mishaps.events.length === 0 || 'the third batch has not come yet')
  await first.said('recorded')
  await kill(first.child)
  const second = startRecorder(platform, folder, 251, 260)
  await second.said('flushed')
  expect([...new Set(platform.storedIds())]).toEqual(numbers(260))
  // Only what was on its way may come twice, and never within one session.
  const bySession = platform.stored.map(({ sessionId, event }) => `${sessionId} ${event.eventId}`)
  expect(new Set(bySession).size).toBe(bySession.length)
  expect(platform.stored.length - 260).toBeLessThanOrEqual(100)
})
