import type { MediaType } from '@atrium/contract'

const padded = (text: string): Buffer => Buffer.from(text.padEnd(96, '\0'), 'latin1')

/** The smallest picture that browsers show: one grey point. */
export const tinyPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

/** The beginning of a file of each type that is taken. */
export const samples: Readonly<Record<MediaType, Buffer>> = {
  'image/png': tinyPng,
  'image/jpeg': padded('\xff\xd8\xff\xe0\0\x10JFIF'),
  'image/gif': padded('GIF89a\x01\0\x01\0'),
  'image/webp': padded('RIFF\x1a\0\0\0WEBPVP8L'),
  'image/avif': padded('\0\0\0\x1cftypavif\0\0\0\0avifmif1'),
  'audio/mpeg': padded('ID3\x04\0\0'),
  'audio/wav': padded('RIFF\x24\0\0\0WAVEfmt '),
  'audio/ogg': padded(`OggS${'\0'.repeat(22)}\x01\x1e\x01vorbis`),
  'audio/mp4': padded('\0\0\0\x20ftypM4A \0\0\0\0M4A mp42isom'),
  'audio/aac': padded('\xff\xf1\x50\x80'),
  'audio/flac': padded('fLaC\0\0\0\x22'),
}

/** A picture of its own for each number. */
export const pngNumber = (number: number): Buffer => Buffer.concat([tinyPng, Buffer.from(`#${number}`)])
