import { Readable } from 'node:stream'
import { limits } from '@atrium/contract'
import { expect, test } from 'vitest'
import { inspectUpload } from './inspect.ts'
import { makeZip, readerOf } from './test/make-zip.ts'
import { pngNumber, samples, tinyPng } from './test/samples.ts'

const part = (filename: string, content: Uint8Array, size = content.length) => ({
  filename,
  size,
  open: () => Readable.from([content]),
  readAt: readerOf(content),
})

async function issuesOf(...parts: ReturnType<typeof part>[]): Promise<string[]> {
  const found = await inspectUpload(parts)
  return found.kind === 'refused' ? found.issues : []
}

test('[V24] files come alone, together and in ZIPs; of paths the last part is kept, in one spelling', async () => {
  const zip = await makeZip({
    '../../faces/Mu\u0308ller 01.png': pngNumber(1),
    'faces\\02.png': pngNumber(2),
  })
  const found = await inspectUpload([part('C:\\x\\tone.txt', samples['audio/wav']), part('set.zip', zip)])
  const files = found.kind === 'fine' ? found.files : []
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ['tone.txt', 'audio/wav'],
    ['Müller 01.png', 'image/png'],
    ['02.png', 'image/png'],
  ])
  expect(new Set(files.map(({ sha256 }) => sha256)).size).toBe(3)
})

test('[V24] everything that is wrong is said at once, each with the name of the file', async () => {
  const zip = await makeZip({
    'read me.txt': Buffer.from('hello'),
    'a/01.png': tinyPng,
    'b/01.png': tinyPng,
    'nested.zip': await makeZip({ 'x.png': tinyPng }),
    'empty.png': Buffer.alloc(0),
    '..': tinyPng,
  })
  const issues = (await issuesOf(part('faces.zip', zip))).join('\n')
  expect(issues).toContain('More than one of the files is named ‘01.png’')
  expect(issues).toContain('‘read me.txt’ is neither a picture')
  expect(issues).toContain('‘nested.zip’ is a ZIP inside another one; unpack it first')
  expect(issues).toContain('‘empty.png’ is empty')
})

test('[V25] what is too large or too much is refused before it is read', async () => {
  const { fileBytes, uploadBytes } = limits.media
  const huge = { ...part('huge.png', tinyPng, fileBytes + 1), open: () => expect.fail('was read') }
  expect(await issuesOf(huge)).toEqual([
    `‘huge.png’ has ${fileBytes + 1} bytes; a picture or a sound may have at most ${fileBytes}`,
  ])
  const many = Array.from({ length: 22 }, (_, index) => ({ ...huge, filename: `${index}.png` }))
  expect((await issuesOf(...many)).join()).toContain(`at most ${uploadBytes} are taken at a time`)
  expect(await issuesOf(part('none.zip', await makeZip({ 'folder/': tinyPng })))).toEqual([
    '‘none.zip’ has no files in it',
  ])
})
