import { type Static, Type } from 'typebox'
import { Name } from '../text.ts'
import { titled } from './annotations.ts'
import { error, type Finding } from './component-type.ts'
import { Text } from './settings.ts'

/** A place on a picture, in percent, so that it is the same on every screen. */
const Percent = (title: string, description: string) =>
  Type.Number({ title, minimum: 0, maximum: 100, description })

export const Place = Type.Object(
  {
    x: Percent('From the left', 'Distance from the left edge, in percent of the width of the picture'),
    y: Percent('From the top', 'Distance from the top edge, in percent of the height of the picture'),
  },
  { title: 'Place', additionalProperties: false },
)
export type Place = Static<typeof Place>

const named = {
  value: titled('Value', Name(500, 'Name of the region in the data')),
  label: Text(
    'Label',
    2_000,
    'What is there, told to people who use a screen reader when their crosshair is in the region; nothing when absent',
  ),
}

const Extent = (title: string, description: string) =>
  Type.Number({ title, minimum: 0.1, maximum: 100, description })

const Rectangle = Type.Object(
  {
    ...named,
    ...Place.properties,
    width: Extent('Width', 'Width, in percent of the width of the picture'),
    height: Extent('Height', 'Height, in percent of the height of the picture'),
  },
  { title: 'Rectangle' },
)

const Polygon = Type.Object(
  {
    ...named,
    points: Type.Array(Place, {
      title: 'Corners',
      minItems: 3,
      maxItems: 100,
      description: 'The corners in their order around the region',
    }),
  },
  { title: 'Polygon' },
)

export const Region = Type.Union([Rectangle, Polygon])
export type Region = Static<typeof Region>

const cornersOf = (region: Region): readonly Place[] => {
  if ('points' in region) return region.points
  const { x, y, width, height } = region
  return [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ]
}

/** The first region of the list that a place lies in. A rectangle includes its edges, so that none lies beyond the picture. */
export const regionAt = (regions: readonly Region[], place: Place): Region | undefined =>
  regions.find((region) => isIn(region, place))

function isIn(region: Region, { x, y }: Place): boolean {
  if ('points' in region) return isInside(region.points, { x, y })
  return x >= region.x && x <= region.x + region.width && y >= region.y && y <= region.y + region.height
}

/** Whether a line from the place to the right crosses the outline an odd number of times. */
function isInside(corners: readonly Place[], { x, y }: Place): boolean {
  const crossings = corners.filter((corner, index) => {
    const before = corners.at(index - 1) ?? corner
    if (corner.y > y === before.y > y) return false
    return x < corner.x + ((y - corner.y) / (before.y - corner.y)) * (before.x - corner.x)
  })
  return crossings.length % 2 === 1
}

/** The middle of the smallest rectangle around a region. */
export function middleOf(region: Region): Place {
  const corners = cornersOf(region)
  const middle = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2
  return { x: middle(corners.map(({ x }) => x)), y: middle(corners.map(({ y }) => y)) }
}

export function regionFindings(path: string, regions: readonly Region[]): Finding[] {
  const seen = new Set<string>()
  return regions.flatMap((region, index) => {
    const place = `${path}/${index}`
    const repeated = seen.has(region.value) ? [error(place, `‘${region.value}’ is already in the list`)] : []
    seen.add(region.value)
    return [...repeated, ...beyondPicture(place, region)]
  })
}

/** 0.1 + 0.2 is not quite 0.3. */
const slack = 1e-9

function beyondPicture(path: string, region: Region): Finding[] {
  if ('points' in region) return []
  const { x, y, width, height } = region
  return [
    ...(x + width > 100 + slack
      ? [error(`${path}/width`, `ends beyond the picture: ${x} and ${width} are more than 100 percent`)]
      : []),
    ...(y + height > 100 + slack
      ? [error(`${path}/height`, `ends beyond the picture: ${y} and ${height} are more than 100 percent`)]
      : []),
  ]
}
