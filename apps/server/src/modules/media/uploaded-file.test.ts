import { expect, test } from 'vitest'
import { fileNameIssue, isVideoType } from './uploaded-file.ts'

test.each([
  '',
  '.',
  '..',
  'a/b.mp4',
  'a\\b.mp4',
  'a\0.mp4',
  'a\n',
  '\ud800',
  'x'.repeat(256),
  '😀'.repeat(250),
])('[V3] %j is not the name of a file', (name) => expect(fileNameIssue(name)).toMatch(/^must be/))

test.each(['film.mp4', '.film', 'Überfilm (1)+.mp4', '映画.mov', 'a%2Fb.mp4'])('[V3] %j is one', (name) =>
  expect(fileNameIssue(name)).toBeUndefined(),
)

test('[R31] only video types are taken', () => {
  for (const type of ['video/mp4', 'Video/MP4', 'video/x-matroska; codecs="a"'])
    expect(isVideoType(type), type).toBe(true)
  for (const type of ['', 'video', 'video/', 'audio/mp4', 'text/html', 'video/mp4\r\nx: y', 'x video/mp4'])
    expect(isVideoType(type), type).toBe(false)
})
