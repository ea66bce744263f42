import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { exportIdOf, type ReadFile, readResumption, restOf } from './resumption.ts'

/** A file of pages with four bytes each. */
function fileOf(pages: number): { read: ReadFile; pagesRead: () => number } {
  let page = 0
  const read: ReadFile = async () => {
    page++
    return { lines: String(page).padStart(4, '0'), events: 1, next: page === pages ? null : page }
  }
  return { read, pagesRead: () => page }
}

const heldOf = (pages: number) => {
  const text = Array.from({ length: pages }, (_, index) => String(index + 1).padStart(4, '0')).join('')
  return { startedAt: 0, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') }
}

const present = { isGone: () => false, askAgain: async () => undefined }
const forbidden = () => Promise.reject(new AppError('FORBIDDEN'))

test('[D20] the rest begins with the page in which the place is found', async () => {
  const { read } = fileOf(3)
  const rest = restOf(read, heldOf(1), present)
  expect(String((await rest()).lines)).toBe('')
  expect(await rest()).toMatchObject({ lines: '0002', next: 2 })
  expect(await rest()).toMatchObject({ lines: '0003', next: null })
})

test('[D20] whoever lost their access while the place was looked for gets nothing, and the search ends', async () => {
  const last = fileOf(3)
  await expect(restOf(last.read, heldOf(3), { ...present, askAgain: forbidden })()).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  const long = fileOf(1_000)
  await expect(restOf(long.read, heldOf(999), { ...present, askAgain: forbidden })()).rejects.toThrow()
  expect(long.pagesRead()).toBeLessThan(100)
})

test('[D20] nobody looks any further for somebody who has hung up', async () => {
  const { read, pagesRead } = fileOf(1_000)
  const rest = restOf(read, heldOf(999), { ...present, isGone: () => pagesRead() === 5 })
  expect(await rest()).toEqual({ lines: '', events: 0, next: null })
  expect(pagesRead()).toBe(5)
})

test('[D20] an id of an instance whose clock is a little ahead is accepted, an invented one is not', () => {
  const textOf = (startedAt: number) => `${exportIdOf(startedAt)}-4-${'0'.repeat(64)}`
  expect(readResumption(textOf(1_000_500), 1_000_000)).toMatchObject({ startedAt: 1_000_500, bytes: 4 })
  expect(() => readResumption(textOf(9_000_000), 1_000_000)).toThrow()
})
