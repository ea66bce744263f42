import { mediaTypes } from '@atrium/contract'

/** For file dialogs, without the dot. A ZIP holds pictures and sounds. */
export const mediaEndings: readonly string[] = [
  ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif'],
  ...['mp3', 'wav', 'ogg', 'oga', 'opus', 'm4a', 'aac', 'flac'],
  'zip',
]

/**
 * Whether a file is to be uploaded as a picture, a sound or a ZIP of them. Browsers do not know every type, and a program
 * has only the name to go by; what the file is, the platform decides by its bytes.
 */
export function isMediaFile({ type, name }: { type: string; name: string }): boolean {
  const ending = /\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? ''
  return Object.hasOwn(mediaTypes, type) || mediaEndings.includes(ending)
}
