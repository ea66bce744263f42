import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seeded } from '../../../../test/seed.ts'
import { sniff } from './sniff.ts'
import { samples } from './test/samples.ts'

const bytes = (text: string) => Buffer.from(text.padEnd(64, '\0'), 'latin1')

test.each(Object.entries(samples))('[V24] the first bytes decide: %s', (type, content) => {
  expect(sniff(content)).toEqual({ kind: 'media', type })
})

test.each([
  ['\xff\xfb\x90\x64', 'audio/mpeg'],
  ['\0\0\0\x20ftypmp42\0\0\0\0mp42M4A isom', 'audio/mp4'],
  ['\0\0\0\x1cftypmif1\0\0\0\0avifmif1', 'image/avif'],
  [`OggS${'\0'.repeat(22)}\x01\x13OpusHead`, 'audio/ogg'],
])('[V24] other beginnings of the same formats count, too: %j', (text, type) => {
  expect(sniff(bytes(text))).toEqual({ kind: 'media', type })
})

test.each([
  ['<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">', /SVG, which can hold scripts/],
  ['<svg onload="alert(1)">', /SVG/],
  ['\0\0\0\x20ftypisom\0\0\0\0isomiso2avc1mp41', /upload videos as videos/],
  ['\x1aE\xdf\xa3', /upload videos as videos/],
  [`OggS${'\0'.repeat(22)}\x01\x2a\x80theora`, /upload videos as videos/],
  ['<!doctype html><script>', /neither a picture/],
  ['%PDF-1.7', /neither a picture/],
  ['RIFF\0\0\0\0AVI ', /neither a picture/],
  ['', /neither a picture/],
  // Layers, rates and versions that do not exist.
  ['\xff\xfb\xf0', /neither a picture/],
  ['\xff\xeb\x90', /neither a picture/],
])('[V24] what is nothing of these is refused, with what it is: %j', (text, because) => {
  const found = sniff(bytes(text))
  expect(found).toEqual({ kind: 'refused', because: expect.stringMatching(because) })
})

test('[V24] a ZIP is told apart, and any bytes at all get an answer', () => {
  expect(sniff(bytes('PK\x03\x04'))).toEqual({ kind: 'zip' })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (content) => {
      expect(sniff(content).kind).toMatch(/media|zip|refused/)
    }),
    seeded,
  )
})
