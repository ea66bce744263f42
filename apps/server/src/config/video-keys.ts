import { address, flag, type Key, oneOf, text } from '@atrium/program'

// Keys about videos that the server and the workers have in common.

export const objectStoreKeys = {
  S3_ENDPOINT: {
    group: 'Storage',
    accepts: URL.canParse,
    schema: address(
      'https?',
      'Object store for videos, S3 or compatible, as browsers reach it; unset = a folder in DATA_DIR, or no videos with HORIZONTAL_SCALING_ENABLED',
    ),
  },
  S3_REGION: { group: 'Storage', schema: text('Region of the object store', { default: 'us-east-1' }) },
  S3_ACCESS_KEY_ID: {
    group: 'Storage',
    schema: text('Access key of the object store; required with S3_ENDPOINT'),
  },
  S3_SECRET_ACCESS_KEY: {
    group: 'Storage',
    secret: true,
    schema: text('Secret of that access key; required with S3_ENDPOINT'),
  },
  S3_FORCE_PATH_STYLE: {
    group: 'Storage',
    schema: flag(true, 'Whether the bucket is part of the path; false: of the host name, as at AWS'),
  },
  VIDEO_BUCKET: {
    group: 'Video',
    schema: text('Bucket for videos', {
      default: 'atrium',
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      expected: 'a bucket name: 3 to 63 lower-case letters, digits, dots and hyphens',
    }),
  },
} as const satisfies Record<string, Key>

export const ffmpegKeys = {
  FFMPEG_PATH: { group: 'Video', schema: text('Path of ffmpeg; unset = where PATH finds it') },
  FFPROBE_PATH: { group: 'Video', schema: text('Path of ffprobe; unset = where PATH finds it') },
  FFMPEG_PRESET: {
    group: 'Video',
    schema: oneOf(
      ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow', 'slower', 'veryslow'],
      'veryfast',
      'Preset of the encoder: slower ones give better pictures at the same bit rate',
    ),
  },
} as const satisfies Record<string, Key>
