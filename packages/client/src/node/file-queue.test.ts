import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll, expect, test } from 'vitest'
import { newId } from '../ids.ts'
import { queued } from '../test/queue-contract.ts'
import { createFileQueue } from './file-queue.ts'

const temporary = createTemporaryFolder('file-queue')
afterAll(() => temporary.remove())

function setUp() {
  const folder = join(temporary.path, newId())
  const logPath = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '')
  return { store: createFileQueue({ folder }), folder, logPath }
}

async function fill({ store }: ReturnType<typeof setUp>, count: number): Promise<void> {
  const queue = await store.open('a')
  for (let number = 1; number <= count; number++) await queue.append(queued(number))
  await queue.close()
}

test('half a line at the end is cut off; what came before and comes after is whole', async () => {
  const set = setUp()
  await fill(set, 2)
  appendFileSync(set.logPath(), '{"kind":"append","event":{"typ')
  const queue = await set.store.open('a')
  expect((await queue.take(9)).map(({ eventId }) => eventId)).toEqual(['e1', 'e2'])
  await queue.append(queued(3))
  await queue.close()
  const again = await set.store.open('a')
  expect((await again.take(9)).map(({ eventId }) => eventId)).toEqual(['e1', 'e2', 'e3'])
  await again.close()
})

test('wherever a crash cuts the log, its whole lines are read', async () => {
  const set = setUp()
  await fill(set, 3)
  const whole = readFileSync(set.logPath(), 'utf8')
  const headLength = whole.indexOf('\n') + 1
  for (let length = whole.length; length >= headLength; length -= 7) {
    truncateSync(set.logPath(), length)
    const queue = await set.store.open('a')
    const lines = whole.slice(0, length).split('\n').length - 2
    expect((await queue.counts()).pending).toBe(lines)
    await queue.close()
    writeFileSync(set.logPath(), whole)
  }
})

test('damage in the middle is an error that names the line, not a loss', async () => {
  const set = setUp()
  await fill(set, 3)
  const lines = readFileSync(set.logPath(), 'utf8').split('\n')
  writeFileSync(set.logPath(), [lines[0], '{"kind":', ...lines.slice(2)].join('\n'))
  await expect(set.store.open('a')).rejects.toThrow('damaged in line 2')
})

test('the log is rewritten when most of it is past, and loses nothing', async () => {
  const set = setUp()
  const queue = await set.store.open('a')
  await queue.append(queued(0))
  for (let round = 0; round < 12; round++) {
    const numbers = Array.from({ length: 150 }, (_, index) => 1 + round * 150 + index)
    await Promise.all(numbers.map((number) => queue.append(queued(number))))
    await Promise.all(numbers.map((number) => queue.acknowledge([`e${number}`])))
  }
  await queue.append(queued(9_999))
  await queue.close()
  expect(readFileSync(set.logPath(), 'utf8').split('\n').length).toBeLessThan(2_200)
  const again = await set.store.open('a')
  expect((await again.take(9)).map(({ eventId }) => eventId)).toEqual(['e0', 'e9999'])
  expect((await again.counts()).acknowledged).toBe(1_800)
  await again.close()
})

test('a queue that a living process uses is refused; the lock of a dead one is taken over', async () => {
  const set = setUp()
  await fill(set, 1)
  const lock = `${set.logPath()}.lock`
  writeFileSync(lock, String(process.ppid))
  await expect(set.store.open('a')).rejects.toThrow('another process')
  writeFileSync(lock, '999999999')
  const queue = await set.store.open('a')
  expect((await queue.counts()).pending).toBe(1)
  await queue.close()
})
