import { type Static, Type } from 'typebox'
import { Name } from '../text.ts'
import { declareType, error, type Finding } from './component-type.ts'
import { Address, addressFindings, DurationMs, Flag, imageFindings, Text } from './settings.ts'

const played = {
  label: Text(4_000, 'Text above it; none when absent'),
  src: Type.Optional(Address('Address of the file; `videoId` says it when absent')),
  videoId: Type.Optional(Name(200, 'An uploaded file; `src` says it when absent')),
  durationMs: DurationMs('Its length; read from the file when absent'),
  controls: Flag('The participant may pause and seek; false when absent'),
  autoplay: Flag('It starts by itself; true when absent'),
}

const Ended = Type.Object(
  {
    ended: Type.Literal(true, { description: 'It was played to its end' }),
    positionMs: Type.Optional(Type.Number({ minimum: 0, description: 'Where that was, in milliseconds' })),
  },
  { additionalProperties: false },
)

const settings = Type.Object(played)

const sourceFindings = ({ src, videoId }: Static<typeof settings>): Finding[] => [
  ...(src === undefined && videoId === undefined ? [error('/src', 'is missing: give src or videoId')] : []),
  ...addressFindings('/src', src),
]

const shared = {
  place: 'both',
  responds: 'once',
  requiredByDefault: false,
  records: 'That it was played to its end, and where that was.',
  secret: [],
} as const

export const video = declareType({
  ...shared,
  type: 'video',
  title: 'Video',
  description:
    'A video, synchronised over the room. Its end is a response, so that a state can end with it (`media_ended`).',
  settings: Type.Object({
    ...played,
    poster: Type.Optional(Address('Picture shown before it plays; its first frame when absent')),
    captions: Type.Optional(Address('Address of a WebVTT file; no captions when absent')),
  }),
  example: {
    settings: { src: 'https://example.org/film.mp4', durationMs: 90_000 },
    response: { ended: true, positionMs: 90_000 },
  },
  response: () => Ended,
  findings: (known) => [
    ...sourceFindings(known),
    ...imageFindings('/poster', known.poster),
    ...addressFindings('/captions', known.captions),
  ],
})

export const audio = declareType({
  ...shared,
  type: 'audio',
  title: 'Audio',
  description: 'A sound. Its end is a response, so that a state can end with it (`media_ended`).',
  settings,
  example: { settings: { src: 'https://example.org/tone.mp3' }, response: { ended: true } },
  response: () => Ended,
  findings: sourceFindings,
})

export const mediaTypes: readonly string[] = [video.type, audio.type]
