import { fileNamePattern } from './object-keys.ts'

/** What an uploaded file is, for whoever shows or plays it. Videos are another thing: they are transcoded. */
export const mediaKinds = ['picture', 'sound'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** Every type that is taken, decided by the first bytes of a file. None of them can hold a script that a browser runs. */
export const mediaTypes = {
  'image/png': 'picture',
  'image/jpeg': 'picture',
  'image/gif': 'picture',
  'image/webp': 'picture',
  'image/avif': 'picture',
  'audio/mpeg': 'sound',
  'audio/wav': 'sound',
  'audio/ogg': 'sound',
  'audio/mp4': 'sound',
  'audio/aac': 'sound',
  'audio/flac': 'sound',
} as const satisfies Record<string, MediaKind>
export type MediaType = keyof typeof mediaTypes

export const isMediaType = (contentType: string): contentType is MediaType =>
  Object.hasOwn(mediaTypes, contentType)

/** How a picture or a sound is named where an address is expected, in tables above all: `media:face-01.png`. */
export const mediaNamePrefix = 'media:'

/** Two spellings of the same letters are one name: a Mac writes ü as two characters. */
export const plainMediaName = (name: string): string => name.normalize('NFC').trim()

/** The name in `media:<name>`; undefined for every other value. */
export const mediaNameIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith(mediaNamePrefix)
    ? plainMediaName(value.slice(mediaNamePrefix.length))
    : undefined

export const mediaIdPattern = '^med_[A-Za-z0-9_-]{22}$'
/** As the name of a file; nothing in it leads anywhere. */
export const mediaNamePattern = fileNamePattern
