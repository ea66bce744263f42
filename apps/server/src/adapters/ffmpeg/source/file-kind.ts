/** Files that are sometimes uploaded as films, told apart by their first bytes. */
type FileKind = 'picture' | 'playlist' | 'sound' | 'document'

/** Enough for these, and for the header of an MP4 in fragments. */
export const headBytes = 64 * 1024

const magics: { kind: FileKind; at: number; pattern: RegExp }[] = [
  { kind: 'picture', at: 0, pattern: /^(\xff\xd8\xff|\x89PNG|GIF8|BM|II\*\0|MM\0\*|8BPS)/ },
  { kind: 'picture', at: 0, pattern: /^RIFF....WEBP/s },
  { kind: 'picture', at: 4, pattern: /^ftyp(heic|heix|hevc|heim|heis|mif1|msf1|avif|avis)/ },
  { kind: 'playlist', at: 0, pattern: /^(\xef\xbb\xbf)?\s*(#EXTM3U|ffconcat|\[playlist\]|<\?xml|<MPD)/i },
  {
    kind: 'sound',
    at: 0,
    pattern: /^(ID3|fLaC|#!AMR|MThd|FORM....AIF|RIFF....WAVE|\xff[\xf1\xf9\xfa\xfb])/s,
  },
  { kind: 'document', at: 0, pattern: /^(%PDF|PK[^ -~]{2}|\{\\rtf|<!doctype|<html)/i },
]

const sentences: Record<FileKind, string> = {
  picture: 'This file is a picture, not a film. Please upload a video file, for example an MP4.',
  playlist:
    'This file is a playlist, which only lists other files. Please upload the film itself, for example an MP4.',
  sound: 'This file has sound but no picture. Please upload a video file, for example an MP4.',
  document:
    'This file is a document or an archive, not a film. Please upload a video file, for example an MP4.',
}

/** Why the file cannot be a film, if its first bytes say so already. */
export function refusalByHead(head: Buffer): string | undefined {
  const text = head.toString('latin1')
  const found = magics.find(({ at, pattern }) => pattern.test(text.slice(at)))
  return found && sentences[found.kind]
}
