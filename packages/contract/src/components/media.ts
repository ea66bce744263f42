import { Type } from 'typebox'
import { Name } from '../text.ts'
import { inUnit, titled } from './annotations.ts'
import { declareType, error, type Finding } from './component-type.ts'
import { addressFindings, DurationMs, Flag, imageFindings, OptionalAddress, Text } from './settings.ts'

const played = {
  label: Text('Label', 4_000, 'Text above it; none when absent'),
  src: OptionalAddress('File', 'Address of the file; `videoId` says it when absent'),
  videoId: titled('Upload', Type.Optional(Name(200, 'An uploaded file; `src` says it when absent'))),
  durationMs: DurationMs('Length', 'Its length; read from the file when absent'),
  controls: Flag('Controls', 'The participant may pause and seek'),
  autoplay: Flag('Start by itself', 'It starts by itself', true),
}

const Ended = Type.Object(
  {
    ended: Type.Literal(true, { title: 'Ended', description: 'It was played to its end' }),
    positionMs: inUnit(
      'ms',
      Type.Optional(
        Type.Number({ title: 'Position', minimum: 0, description: 'Where that was, in milliseconds' }),
      ),
    ),
  },
  { title: 'End of playback', additionalProperties: false },
)

/** To a simulated participant, a file of unknown length is short. */
const unknownLengthMs = 3_000
const playsMs = ({ durationMs = unknownLengthMs }: { durationMs: number | undefined }) => durationMs

const shared = {
  place: 'both',
  responds: 'once',
  requiredByDefault: false,
  isMedia: true,
  records: 'That it was played to its end, and where that was.',
} as const

interface Source {
  src: string | undefined
  videoId: string | undefined
}

const sourceFindings = ({ src, videoId }: Source): Finding[] => [
  ...(src === undefined && videoId === undefined ? [error('/src', 'is missing: give src or videoId')] : []),
  ...addressFindings('/src', src),
]

export const video = declareType({
  ...shared,
  type: 'video',
  title: 'Video',
  description:
    'A video, synchronised over the room. Its end is a response, so that a state can end with it (`media_ended`).',
  settings: Type.Object({
    ...played,
    poster: OptionalAddress('Poster', 'Picture shown before it plays; its first frame when absent'),
    captions: OptionalAddress('Captions', 'Address of a WebVTT file; no captions when absent'),
  }),
  example: {
    settings: { src: 'https://example.org/film.mp4', durationMs: 90_000 },
    response: { ended: true, positionMs: 90_000 },
  },
  response: () => Ended,
  findings: (settings) => [
    ...sourceFindings(settings),
    ...imageFindings('/poster', settings.poster),
    ...addressFindings('/captions', settings.captions),
  ],
  simulated: { playsMs, answer: (settings) => ({ ended: true, positionMs: playsMs(settings) }) },
})

export const audio = declareType({
  ...shared,
  type: 'audio',
  title: 'Audio',
  description: 'A sound. Its end is a response, so that a state can end with it (`media_ended`).',
  settings: Type.Object(played),
  example: { settings: { src: 'https://example.org/tone.mp3' }, response: { ended: true } },
  response: () => Ended,
  findings: sourceFindings,
  simulated: { playsMs, answer: (settings) => ({ ended: true, positionMs: playsMs(settings) }) },
})
