import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openScratchFolder } from './scratch-folder.ts'

function root(): string {
  const folder = createTemporaryFolder('scratch')
  onTestFinished(() => folder.remove())
  return join(folder.path, 'work')
}

test('[J29,T17] every program has a folder of its own, and what it leaves is removed', async () => {
  const work = root()
  const [one, two] = [await openScratchFolder(work), await openScratchFolder(work)]
  expect(one.path).not.toBe(two.path)
  await writeFile(join(one.path, 'film.mp4'), 'x')
  await writeFile(join(two.path, 'film.mp4'), 'x')
  await one.close()
  expect(existsSync(one.path)).toBe(false)
  const three = await openScratchFolder(work)
  expect(three.path).toBe(one.path)
  expect(await readdir(two.path), 'the folder of a living program stays').toEqual(['film.mp4'])
  await Promise.all([two.close(), three.close()])
})

test('[J29,T17] the folders of dead programs are removed at a start, and nothing else', async () => {
  const work = root()
  for (const name of ['0', '3']) {
    await mkdir(join(work, name), { recursive: true })
    await writeFile(join(work, name, 'film.mp4'), 'x')
    await writeFile(join(work, `${name}.lock`), '')
  }
  await mkdir(join(work, 'notes'))
  await mkdir(join(work, '7'))
  const scratch = await openScratchFolder(work)
  expect(await readdir(scratch.path)).toEqual([])
  const folders = (await readdir(work)).filter((name) => !name.includes('.lock'))
  expect(folders.toSorted()).toEqual(['0', '7', 'notes'])
  await scratch.close()
})
