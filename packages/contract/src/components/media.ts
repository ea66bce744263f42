import { Type } from 'typebox'
import { Name } from '../text.ts'
import { defaultTo, inUnit, shows, titled } from './annotations.ts'
import { declareType, error, type Finding } from './component-type.ts'
import {
  addressFindings,
  DurationMs,
  Flag,
  imageFindings,
  MediaId,
  mediaFindings,
  OptionalAddress,
  OptionalPicture,
  Text,
  Whole,
} from './settings.ts'

const played = {
  label: Text('Label', 4_000, 'Text above the player; none when absent'),
  src: OptionalAddress('File', 'Address of the file; `videoId` is used when absent'),
  videoId: titled(
    'Uploaded file',
    Type.Optional(Name(200, 'Id of an uploaded video; `src` is used when absent')),
  ),
  durationMs: DurationMs('Length', 'Playing time; read from the file when absent'),
  controls: Flag('Controls', 'The participant can pause and seek'),
  autoplay: Flag('Autoplay', 'Playback starts automatically', true),
  controlledBy: titled(
    'Controlled by',
    Type.Optional(
      Name(
        64,
        '`server`: the room plays in step, from the start of the state; a role: in step, as participants with that role command; `participant`: everyone plays alone; `server` in groups without `controls`, otherwise `participant` when absent',
      ),
    ),
  ),
  waitForAllMs: defaultTo(
    10_000,
    inUnit(
      'ms',
      Whole(
        'Wait for everyone',
        0,
        300_000,
        'How long playback in step waits for participants who are still buffering; 10,000 when absent',
      ),
    ),
  ),
}

const Ended = Type.Object(
  {
    ended: Type.Literal(true, { title: 'Ended', description: 'It was played to the end' }),
    positionMs: inUnit(
      'ms',
      Type.Optional(
        Type.Number({ title: 'Position', minimum: 0, description: 'Position at the end, in milliseconds' }),
      ),
    ),
  },
  { title: 'End of playback', additionalProperties: false },
)

/** Simulated participants treat a file of unknown length as short. */
const unknownLengthMs = 3_000
const playsMs = ({ durationMs = unknownLengthMs }: { durationMs: number | undefined }) => durationMs

const shared = {
  place: 'both',
  responds: 'once',
  requiredByDefault: false,
  agentsCannot: 'it has to be watched or listened to',
  records: 'That it was played to the end, and the position at that time.',
} as const

interface Source {
  src: string | undefined
  videoId: string | undefined
}

interface SoundSource extends Source {
  mediaId: string | undefined
}

const soundFindings = ({ src, videoId, mediaId }: SoundSource): Finding[] => {
  const isMissing = src === undefined && videoId === undefined && mediaId === undefined
  return [
    ...(isMissing
      ? [error('/src', 'is missing; set mediaId for an uploaded sound, or src for an address')]
      : []),
    ...(mediaId !== undefined && (src !== undefined || videoId !== undefined)
      ? [error('/mediaId', 'names a second sound beside src or videoId; remove one of them')]
      : []),
    ...mediaFindings('/src', src),
  ]
}

const sourceFindings = ({ src, videoId }: Source): Finding[] => [
  ...(src === undefined && videoId === undefined ? [error('/src', 'is missing; set src or videoId')] : []),
  ...addressFindings('/src', src),
]

interface Control {
  controls: boolean
  autoplay: boolean
  controlledBy: string | undefined
}

/** Whether `controlledBy` names a role that exists is checked where the roles are known. */
const controlFindings = ({ controls, autoplay, controlledBy }: Control): Finding[] => {
  if (controlledBy === undefined || controlledBy === 'participant') return []
  return [
    ...(controls
      ? [
          error(
            '/controls',
            'gives everyone controls of their own, but controlledBy makes everyone play in step; remove one of them',
          ),
        ]
      : []),
    ...(controlledBy === 'server' && !autoplay
      ? [
          error(
            '/autoplay',
            'must not be false when the server controls playback, because nobody could start it; set controlledBy to a role',
          ),
        ]
      : []),
  ]
}

export const video = declareType({
  ...shared,
  type: 'video',
  plays: 'video',
  title: 'Video',
  description:
    'A video, synchronised across the room. Its end is a response, so a state can end with it (`media_ended`).',
  settings: Type.Object({
    ...played,
    poster: OptionalPicture('Poster', 'Picture shown before playback; the first frame when absent'),
    captions: OptionalAddress('Captions', 'Address of a WebVTT file; no captions when absent'),
  }),
  example: {
    settings: { src: 'https://example.org/video.mp4', durationMs: 90_000 },
    response: { ended: true, positionMs: 90_000 },
  },
  response: () => Ended,
  findings: (settings) => [
    ...sourceFindings(settings),
    ...controlFindings(settings),
    ...imageFindings('/poster', settings.poster),
    ...addressFindings('/captions', settings.captions),
  ],
  simulated: { playsMs, answer: (settings) => ({ ended: true, positionMs: playsMs(settings) }) },
})

export const audio = declareType({
  ...shared,
  type: 'audio',
  plays: 'audio',
  title: 'Audio',
  description: 'An audio recording. Its end is a response, so a state can end with it (`media_ended`).',
  settings: Type.Object({
    ...played,
    src: shows(
      'sound',
      OptionalAddress('File', 'Address of the file; `mediaId` or `videoId` is used when absent'),
    ),
    mediaId: MediaId('sound', 'Uploaded sound', 'Id of an uploaded sound; `src` is used when absent'),
    videoId: titled(
      'Uploaded video',
      Type.Optional(
        Name(200, 'Id of an uploaded video, of which only the sound is played; `src` is used when absent'),
      ),
    ),
  }),
  example: { settings: { src: 'https://example.org/tone.mp3' }, response: { ended: true } },
  response: () => Ended,
  findings: (settings) => [...soundFindings(settings), ...controlFindings(settings)],
  simulated: { playsMs, answer: (settings) => ({ ended: true, positionMs: playsMs(settings) }) },
})
