import type { MediaType } from '@atrium/contract'

/** So many bytes from the beginning of a file decide what it is. */
export const headBytes = 512

export type Sniffed =
  | { kind: 'media'; type: MediaType }
  | { kind: 'zip' }
  /** What it is instead, as the end of a sentence that begins with its name. */
  | { kind: 'refused'; because: string }

/** What a file is by its first bytes. Its name and the type that a browser sends with it say nothing. */
export function sniff(head: Uint8Array): Sniffed {
  const type = pictureType(head) ?? soundType(head)
  if (type) return { kind: 'media', type }
  if (startsWith(head, 'PK\x03\x04') || startsWith(head, 'PK\x05\x06')) return { kind: 'zip' }
  return { kind: 'refused', because: whyNot(head) }
}

function pictureType(head: Uint8Array): MediaType | undefined {
  if (startsWith(head, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (startsWith(head, '\xff\xd8\xff')) return 'image/jpeg'
  if (startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a')) return 'image/gif'
  if (startsWith(head, 'RIFF') && textAt(head, 8, 4) === 'WEBP') return 'image/webp'
  return brandsOf(head).some((brand) => brand === 'avif' || brand === 'avis') ? 'image/avif' : undefined
}

function soundType(head: Uint8Array): MediaType | undefined {
  if (startsWith(head, 'RIFF') && textAt(head, 8, 4) === 'WAVE') return 'audio/wav'
  if (startsWith(head, 'fLaC')) return 'audio/flac'
  if (startsWith(head, 'OggS')) return isOggSound(head) ? 'audio/ogg' : undefined
  if (brandsOf(head).some((brand) => brand === 'M4A ' || brand === 'M4B ')) return 'audio/mp4'
  if (startsWith(head, 'ID3')) return 'audio/mpeg'
  return frameType(head)
}

/** An MP3 without a tag, or AAC in ADTS: both begin with the frame's own header. */
function frameType([first = 0, second = 0, third = 0]: Uint8Array): MediaType | undefined {
  if (first !== 0xff) return undefined
  if ((second & 0xf6) === 0xf0 && ((third >> 2) & 0xf) < 13) return 'audio/aac'
  const isLayer3 = (second & 0xe6) === 0xe2
  const hasVersion = (second & 0x18) !== 0x08
  const hasRate = third >> 4 !== 0xf && third >> 4 !== 0 && ((third >> 2) & 3) !== 3
  return isLayer3 && hasVersion && hasRate ? 'audio/mpeg' : undefined
}

/** The first page of Ogg names its codec after the table of segments. */
function isOggSound(head: Uint8Array): boolean {
  const start = 27 + (head[26] ?? 0)
  const codec = textAt(head, start, 8)
  return ['\x01vorbis', 'OpusHead', 'Speex   ', '\x7fFLAC'].some((name) => codec.startsWith(name))
}

/** The brands of a file in the format of ISO: the main one, and those that it is compatible with. */
function brandsOf(head: Uint8Array): string[] {
  if (textAt(head, 4, 4) !== 'ftyp') return []
  const size = new DataView(head.buffer, head.byteOffset, head.length).getUint32(0)
  const brands = [textAt(head, 8, 4)]
  for (let at = 16; at + 4 <= Math.min(size, head.length); at += 4) brands.push(textAt(head, at, 4))
  return brands
}

function whyNot(head: Uint8Array): string {
  const text = textAt(head, 0, headBytes)
  if (/<svg[\s>]|<!doctype svg/i.test(text))
    return 'is an SVG, which can hold scripts; save it as PNG or WebP and upload that'
  if (brandsOf(head).length > 0 || startsWith(head, '\x1aE\xdf\xa3') || startsWith(head, 'OggS'))
    return 'is a video or a sound in a container of videos; upload videos as videos, and save sounds as MP3, M4A, WAV, OGG or FLAC'
  return 'is neither a picture (PNG, JPEG, WebP, GIF, AVIF) nor a sound (MP3, M4A, AAC, WAV, OGG, FLAC)'
}

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length))

const startsWith = (bytes: Uint8Array, text: string): boolean => textAt(bytes, 0, text.length) === text
