import { Type } from 'typebox'
import { compiledOnce } from '../compiled-once.ts'
import { defaultTo } from './annotations.ts'
import { declareType } from './component-type.ts'
import type { Received } from './received.ts'
import { middleOf, Place, Region, regionAt, regionFindings } from './regions.ts'
import { MediaId, notAbove, OptionalPicture, pictureFindings, question, Text, Whole } from './settings.ts'

const mostMarks = 20

const settings = Type.Object({
  ...question,
  src: OptionalPicture('Picture', 'Address of the picture; `mediaId` is used when absent'),
  mediaId: MediaId('picture', 'Uploaded picture', 'Id of an uploaded picture; `src` is used when absent'),
  alt: Text(
    'Alternative text',
    1_000,
    'Description of the picture for people who cannot see it; none when absent',
  ),
  minMarks: defaultTo(
    1,
    Whole('Fewest marks', 1, mostMarks, 'Least number of places to mark; 1 when absent'),
  ),
  maxMarks: Whole(
    'Most marks',
    1,
    mostMarks,
    'Greatest number of places to mark; the least number when absent',
  ),
  regions: Type.Optional(
    Type.Array(Region, {
      title: 'Regions',
      minItems: 1,
      maxItems: 100,
      description:
        'Parts of the picture whose names are recorded with the marks in them; where they overlap, the first counts; no names when absent',
    }),
  ),
})
type Known = Received<typeof settings>

const marksField = ({ minMarks, maxMarks = minMarks }: Known) => ({
  marks: Type.Array(Place, { title: 'Marks', minItems: minMarks, maxItems: Math.max(minMarks, maxMarks) }),
})

const facts = { title: 'Marks', additionalProperties: false }

const isMarked = compiledOnce(Type.Object({ marks: Type.Array(Place) }))

export const hotSpot = declareType({
  type: 'hot_spot',
  title: 'Hot spot',
  description: [
    'A picture on which one or several places are marked, with a pointer, a finger or the keyboard.',
    'Marks are recorded in percent of the picture, which do not depend on the screen; the server adds the names of the regions that they are in.',
    'Regions are not shown, but the page and agents receive them.',
  ].join(' '),
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  needsPictures: true,
  records:
    'The marks in the order in which they were set, in percent of the picture from its left and top edges; with `regions` also the name of the region of each.',
  example: {
    settings: {
      label: 'Where did you look first?',
      src: 'https://example.org/street.jpg',
      alt: 'A street with a shop on the left and a bus in the middle',
      regions: [
        { value: 'shop', label: 'Shop window', x: 5, y: 30, width: 25, height: 50 },
        {
          value: 'bus',
          label: 'Bus',
          points: [
            { x: 40, y: 35 },
            { x: 75, y: 30 },
            { x: 75, y: 80 },
            { x: 40, y: 75 },
          ],
        },
      ],
    },
    response: { marks: [{ x: 52.3, y: 47.1 }] },
  },
  response: (known) => Type.Object(marksField(known), facts),
  recorded: (known) =>
    Type.Object({ ...marksField(known), ...(known.regions && regionsField(known.regions)) }, facts),
  evaluate: ({ regions }, value) => ({
    kind: 'accepted',
    isFinal: true,
    ...(regions && isMarked(value) && { recorded: withRegions(regions, value) }),
  }),
  findings: (known, written) => [
    ...pictureFindings(known),
    ...notAbove(written, 'minMarks', known.minMarks, 'maxMarks', known.maxMarks ?? known.minMarks),
    ...regionFindings('/regions', known.regions ?? []),
  ],
  simulated: {
    usualMs: 4_000,
    answer: ({ regions }, drawn, { random }) =>
      regions && isMarked(drawn)
        ? { marks: drawn.marks.map((mark) => attracted(mark, regions, random)) }
        : drawn,
  },
})

const regionsField = (regions: readonly Region[]) => ({
  regions: Type.Array(
    Type.Union([Type.Enum([...new Set(regions.map(({ value }) => value))]), Type.Null()], {
      title: 'Region',
    }),
    {
      title: 'Regions',
      description: 'For each mark the name of the region that it is in, null outside all regions',
    },
  ),
})

const withRegions = (regions: readonly Region[], { marks }: { marks: readonly Place[] }) => ({
  marks,
  regions: marks.map((mark) => regionAt(regions, mark)?.value ?? null),
})

/** What has a name is what people look at: most marks are near the middle of a region. */
function attracted(mark: Place, regions: readonly Region[], random: () => number): Place {
  const region = random() < 0.7 ? regions[Math.floor(random() * regions.length)] : undefined
  if (!region) return mark
  const middle = middleOf(region)
  const near = (one: number) =>
    Math.round(Math.min(100, Math.max(0, one + 4 * (random() + random() - 1))) * 10) / 10
  return { x: near(middle.x), y: near(middle.y) }
}
