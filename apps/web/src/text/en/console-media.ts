import type { HlsStatus } from '@atrium/contract'
import { format, plurals } from './console-format.ts'

const videos = { one: 'video', other: 'videos' }
const quoted = (name: string) => `“${name}”`
/** Whole seconds: fractions of a remaining time only flicker. */
const about = (ms: number) => format.duration(Math.max(1_000, Math.ceil(ms / 1_000) * 1_000))

interface LostVideo {
  filename: string
  size: number
  durationMs: number | null
  levels: number
}

export const media = {
  media: {
    title: 'Media',
    intro:
      'Videos, pictures and sounds for your studies. Each video is prepared in several qualities, so that it plays on any connection.',
    tabs: { videos: 'Videos', files: 'Pictures and sounds' },
    count: (count: number) => plurals.count(count, videos),
    countOf: (found: number, all: number) => `${format.number(found)} of ${plurals.count(all, videos)}`,
    onlyNewest: (max: number) => `(the newest ${format.number(max)}; older ones are not listed)`,
    empty: {
      title: 'No videos yet',
      message:
        'Upload a video, then choose it in a video component of a study. The platform prepares it for playback and plays it to a whole group in step.',
    },
    search: {
      label: 'Search',
      placeholder: 'Name or ID',
      clear: 'Clear the search',
      nothing: 'No matches',
    },
    nothingFor: (search: string) => `No video has “${search}” in its name or ID.`,
    list: 'Videos',
    pixels: (width: number, height: number) => `${width} × ${height}`,
    uploaded: (ago: string) => `uploaded ${ago}`,
    begun: (ago: string) => `upload begun ${ago}`,
    someoneElses: 'Uploaded by someone else',
    status: {
      unfinished: 'Upload not finished',
      pending: 'Waiting',
      queued: 'Waiting for its turn',
      processing: 'Processing',
      ready: 'Ready',
      failed: 'Failed',
    } satisfies Record<HlsStatus | 'unfinished' | 'queued', string>,
    unfinishedMessage: 'To continue the upload, choose the same file again.',
    pendingMessage: 'It will be processed soon.',
    processed: (progress: number) => `${Math.floor(progress * 100)}%`,
    progressOf: (filename: string) => `Processing of ${filename}`,
    levels: (levels: readonly string[]) => `Qualities: ${levels.join(', ')}`,
    failedMessage: 'This video could not be processed.',
    actions: {
      play: 'Play',
      playName: (filename: string) => `Play ${filename}`,
      use: 'Use in a study',
      copyId: 'Copy the video ID',
      copied: 'Copied',
      retry: 'Process again',
      delete: 'Delete',
      continue: 'Choose the file to continue',
      discard: 'Discard the upload',
      more: (filename: string) => `More about ${filename}`,
    },
    inUse: 'A study uses it, so it cannot be deleted.',
    notYours: 'Only the person who uploaded it and administrators can delete it.',
    askAdmin: 'An administrator can process it again.',
    retried: (filename: string) => `${quoted(filename)} is being processed again.`,
    notRetried: 'The video is not processed again',
    retry: {
      title: 'Process this video again?',
      again: (filename: string) => `The platform will try to process ${quoted(filename)} again.`,
      unplayable: (filename: string) =>
        `${quoted(filename)} cannot be played until it has been processed again.`,
    },
    delete: {
      title: 'Delete this video?',
      lost: ({ filename, size, durationMs, levels }: LostVideo) =>
        `${quoted(filename)} (${[format.bytes(size), ...(durationMs === null ? [] : [format.duration(durationMs)])].join(', ')}) will be deleted` +
        (levels === 0
          ? '.'
          : `, with the ${plurals.count(levels, { one: 'quality', other: 'qualities' })} made from it.`),
      forGood: 'This cannot be undone. To use the video again, you would have to upload it again.',
      done: (filename: string) => `${quoted(filename)} has been deleted.`,
      failed: 'The video was not deleted',
    },
    discard: {
      title: 'Discard this upload?',
      lost: (filename: string) =>
        `Everything that has been sent of ${quoted(filename)} will be deleted. The file on your computer stays as it is.`,
      done: (filename: string) => `The upload of ${quoted(filename)} has been discarded.`,
      failed: 'The upload was not discarded',
    },
    player: {
      loading: 'Loading the video …',
      quality: 'Quality',
      automatic: 'Automatic',
      automaticNow: (level: string) => `Automatic (${level})`,
      failed: 'The video cannot be played',
      lost: 'The connection was lost, or the video has been removed.',
      notReady: 'It has to be processed before it can be played.',
      broken: 'This browser cannot decode the video.',
      unsupported:
        'This browser cannot play adaptive video. Please use a current version of Chrome, Edge, Firefox or Safari.',
    },
    use: {
      title: 'Use in a study',
      intro: (filename: string) =>
        `Add this state to the definition of a study. It shows ${quoted(filename)} and ends when the video has ended.`,
      snippet: 'State for the definition',
      copy: 'Copy',
      copied: 'Copied',
      inStep:
        'In groups, the video plays in step for everyone. For people who take part alone, it starts when they arrive.',
      limit:
        'In case the video cannot be played, the state ends by itself after afterMs: the length of the video and one minute. Allow more time if ratings pause the video.',
      newExperiment: 'Begin a new study',
    },
  },

  mediaUploads: {
    choose: 'Upload files',
    drag: 'Drag videos, pictures, sounds or ZIPs onto this page, or choose them.',
    drop: 'Drop the files to upload them.',
    limits: (maxVideoBytes: number, maxFileBytes: number) =>
      `Videos of up to ${format.bytes(maxVideoBytes)}, which you can pause and continue later; pictures and sounds of up to ${format.bytes(maxFileBytes)}, also in a ZIP.`,
    /** Names what is sent in one request. */
    batch: (first: string, others: number) =>
      others === 0
        ? first
        : `${first} and ${plurals.count(others, { one: 'other file', other: 'other files' })}`,
    list: 'Uploads',
    /** In the navigation. */
    underWay: (share: string) => `${share} uploaded`,
    states: {
      queued: 'Waiting for the others',
      paused: 'Paused',
      cancelling: 'Cancelling …',
      stored: 'Uploaded',
      finishing: 'Finishing …',
      stalled: 'Waiting for the network …',
    },
    sent: (sentBytes: number, bytes: number) => `${format.bytes(sentBytes)} of ${format.bytes(bytes)}`,
    rate: (bytesPerSecond: number) => `${format.bytes(bytesPerSecond)}/s`,
    left: (ms: number) => `${about(ms)} left`,
    progressOf: (filename: string) => `Upload of ${filename}`,
    pause: (filename: string) => `Pause the upload of ${filename}`,
    resume: (filename: string) => `Resume the upload of ${filename}`,
    tryAgain: (filename: string) => `Try again to upload ${filename}`,
    cancel: (filename: string) => `Cancel the upload of ${filename}`,
    done: (filename: string) => `${quoted(filename)} has been uploaded.`,
    doneTogether: (count: number) => `${format.number(count)} files have been uploaded.`,
    connectionLost: 'The connection was lost. What has been sent is kept where possible.',
    notCancelled: (filename: string) => `The upload of ${quoted(filename)} was not removed`,
    cancelDialog: {
      title: 'Cancel this upload?',
      lost: (filename: string, sentBytes: number) =>
        `${format.bytes(sentBytes)} of ${quoted(filename)} have been sent and will be deleted. To keep them, pause the upload instead.`,
      confirm: 'Cancel the upload',
      keep: 'Keep uploading',
    },
    objections: {
      title: (count: number) =>
        plurals.count(count, { one: 'file was not uploaded', other: 'files were not uploaded' }),
      first: (objections: readonly string[]) =>
        [
          ...objections.slice(0, 5),
          ...(objections.length > 5
            ? [`${format.number(objections.length - 5)} more were not uploaded, either.`]
            : []),
        ].join(' '),
      notMedia: (filename: string) =>
        `${filename} is not a video, a picture (PNG, JPEG, WebP, GIF, AVIF), a sound (MP3, M4A, AAC, WAV, OGG, FLAC) or a ZIP.`,
      empty: (filename: string) => `${filename} is empty.`,
      tooLarge: (filename: string, maxBytes: number) =>
        `${filename} is larger than ${format.bytes(maxBytes)}.`,
      otherFile: (chosen: string, filename: string, size: number) =>
        `${chosen} is another file, or has been changed since. To continue this upload, choose ${filename} (${format.bytes(size)}).`,
    },
  },
}
