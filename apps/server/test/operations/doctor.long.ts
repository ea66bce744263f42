import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatherDisk } from '../../src/doctor/gather/disk.ts'
import { judgeDisk } from '../../src/doctor/judge/disk.ts'

// Mounting needs root, as in a container.

const temporary = createTemporaryFolder('doctor-disk')
const folder = temporary.path
beforeAll(() => void execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]))
afterAll(() => {
  execFileSync('umount', [folder])
  temporary.remove()
})

const found = async () =>
  judgeDisk(await gatherDisk('DATA_DIR', join(folder, 'data'), true))
    .filter(({ level }) => level === 'problem')
    .map((finding) => finding.found)

test('[R50] the doctor names a disk that is small, full, or read-only', async () => {
  expect(await found()).toEqual([expect.stringMatching(/^Only \d MiB are free/)])
  expect(() => writeFileSync(join(folder, 'much'), Buffer.alloc(8 * 2 ** 20))).toThrow('ENOSPC')
  expect(await found()).toEqual([expect.stringMatching(/is full\.$/)])
  execFileSync('mount', ['-o', 'remount,ro', folder])
  expect(await found()).toContainEqual(expect.stringContaining('read-only'))
})
