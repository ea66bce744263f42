import { expect, test } from 'vitest'
import { createDiskSpace } from './disk-space.ts'

const mib = 2 ** 20
const reserve = 512 * mib
const refusal = 'not enough free disk space'

test('[T16] jobs that begin at once do not count on the same space', async () => {
  let free = reserve + 100 * mib
  const disk = createDiskSpace(async () => free)
  const [first, second] = [disk.forJob('one'), disk.forJob('two')]
  const begun = await Promise.allSettled([first.reserve(60 * mib), second.reserve(60 * mib)])
  expect(begun.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])

  // What is written is no longer free, and need not be kept free any more.
  free -= 30 * mib
  first.remaining(30 * mib)
  await second.reserve(40 * mib)
  await expect(first.reserve(31 * mib)).rejects.toThrow(refusal)
  second.release()
  await first.reserve(70 * mib)
})

test('[T16] a disk that others fill stops a job', async () => {
  let free = reserve + mib
  const job = createDiskSpace(async () => free).forJob('one')
  await job.reserve(mib)
  await job.check()
  free = reserve - 1
  await expect(job.check()).rejects.toThrow(refusal)
})
