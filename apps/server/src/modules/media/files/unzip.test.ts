import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../../../test/seed.ts'
import { directoryOf, makeZip, readerOf } from './test/make-zip.ts'
import { openZip } from './unzip.ts'
import { BadZip } from './zip-directory.ts'

const open = (zip: Buffer, maxEntries = 100) => openZip(readerOf(zip), zip.length, maxEntries)

async function unpacked(zip: Buffer): Promise<Record<string, string>> {
  const files = await open(zip)
  const contents = await Promise.all(
    files.map(async (file) => [file.name, (await buffer(file.open())).toString()]),
  )
  return Object.fromEntries(contents)
}

test.each([true, false])('[V24] files of a ZIP come out as they went in (packed: %s)', async (compress) => {
  const files = { 'faces/01.png': Buffer.from('one'), '02.png': Buffer.from('two'.repeat(50_000)) }
  const found = await unpacked(await makeZip(files, compress))
  expect(found).toEqual({ 'faces/01.png': 'one', '02.png': 'two'.repeat(50_000) })
})

test('[V24] folders and what systems leave in them are passed over', async () => {
  const nothing = Buffer.from('x')
  const zip = await makeZip({
    'faces/': nothing,
    'faces/01.png': nothing,
    '__MACOSX/faces/._01.png': nothing,
    'faces/.DS_Store': nothing,
    'Thumbs.db': nothing,
  })
  expect(Object.keys(await unpacked(zip))).toEqual(['faces/01.png'])
})

test('[V25] a file that unpacks to more than its list says is cut off there', async () => {
  const zip = await makeZip({ 'bomb.png': Buffer.alloc(50_000_000) })
  zip.writeUInt32LE(1_000, directoryOf(zip) + 24)
  const [bomb] = await open(zip)
  expect(bomb?.bytes).toBe(1_000)
  let read = 0
  const reading = async () => {
    for await (const chunk of bomb?.open() ?? []) read += chunk.length
  }
  await expect(reading()).rejects.toThrow('is larger than it says')
  expect(read).toBeLessThanOrEqual(1_000)
})

test('[V25] a file that is not what it was when it was packed is refused', async () => {
  const zip = await makeZip({ 'a.png': Buffer.from('the bytes of a picture') }, false)
  zip.write('X', zip.indexOf('bytes'))
  const [file] = await open(zip)
  await expect(buffer(file?.open() ?? Readable.from([]))).rejects.toThrow(
    'is not what it was when it was packed',
  )
})

test('[V25] too many entries, a password, several parts and strange packing are refused with a sentence', async () => {
  const zip = await makeZip({ 'a.png': Buffer.from('a'), 'b.png': Buffer.from('b') })
  const directory = directoryOf(zip)
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(zip)
    copy.writeUInt16LE(value, at)
    return copy
  }
  await expect(open(zip, 1)).rejects.toThrow('has 2 entries; at most 1 are taken at a time')
  await expect(open(changed(directory + 8, 1))).rejects.toThrow('is encrypted')
  await expect(open(changed(directory + 10, 14))).rejects.toThrow('is packed in a way that is not taken here')
  await expect(open(changed(zip.length - 22 + 8, 1))).rejects.toThrow('one of several parts')
  await expect(open(changed(directory, 0))).rejects.toThrow('is damaged')
  await expect(open(Buffer.from('PK\x03\x04 no list'))).rejects.toThrow('is damaged')
})

test('[V25] whatever is changed in a ZIP, it is read or refused, and never yields more than it claims', async () => {
  const zip = await makeZip({ 'a.png': Buffer.from('a'.repeat(2_000)), 'b.png': Buffer.from('b') })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      fc.nat(zip.length),
      async (changes, cut) => {
        const damaged = Buffer.from(zip.subarray(0, zip.length - (cut % 4 === 0 ? cut : 0)))
        for (const [at, value] of changes) if (at < damaged.length) damaged.writeUInt8(value, at)
        try {
          for (const file of await open(damaged)) expect((await buffer(file.open())).length).toBe(file.bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(BadZip)
        }
      },
    ),
    { ...seeded, numRuns: 300 },
  )
})
