/**
 * Containers that hold a video within one file. Playlists, ffconcat, subtitles, picture sequences and everything else
 * that can name another file is absent on purpose: a file that was uploaded as a video must not pull in other files.
 */
const containers = ['mov', 'matroska', 'avi', 'mpegts', 'mpeg', 'asf', 'flv', 'ogg', 'mxf']

/** 8K, and squares of as many pixels. */
export const maxPixels = 8192 * 4608

/** Each is decoded a little to see what it is, so that 900 pictures cost 1.4 GB. Some videos come with a hundred fonts. */
const maxStreams = 128

/** The name of the original in the job's folder: ours, never the uploader's. */
export const sourceName = 'source'

/** How every program opens a file that came from outside. */
export const untrusted = (name: string): string[] => [
  ...['-protocol_whitelist', 'file'],
  ...['-format_whitelist', containers.join(',')],
  ...['-max_pixels', String(maxPixels), '-max_streams', String(maxStreams)],
  ...['-i', `file:${name}`],
]
