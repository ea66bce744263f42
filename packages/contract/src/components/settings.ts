import { Type } from 'typebox'
import { type MediaKind, mediaIdPattern, mediaNameIn } from '../media/media-files.ts'
import { Name, Prose } from '../text.ts'
import { defaultTo, identifies, inUnit, live, readAs, shows, type TextFormat, titled } from './annotations.ts'
import { error, type Finding } from './component-type.ts'

// Settings that several types share, and their checks.

export const Flag = (title: string, description: string, whenAbsent = false) =>
  defaultTo(
    whenAbsent,
    Type.Optional(Type.Boolean({ title, description: `${description}; ${whenAbsent} when absent` })),
  )

export const Text = (
  title: string,
  longest: number,
  description: string,
  { format = 'plain' }: { format?: TextFormat } = {},
) => readAs(format, titled(title, Type.Optional(Prose(longest, description))))

export const Amount = (title: string, description: string) =>
  Type.Optional(Type.Number({ title, description }))

export const Whole = (title: string, minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ title, minimum, maximum, description }))

export const DurationMs = (title: string, description: string) =>
  inUnit('ms', Whole(title, 0, 86_400_000, description))

/** One of several words; the first is the default. */
export const Choice = <const Words extends [string, ...string[]]>(
  title: string,
  words: readonly [...Words],
  description: string,
) =>
  defaultTo(
    words[0],
    Type.Optional(Type.Enum(words, { title, description: `${description}; ${words[0]} when absent` })),
  )

export const OptionalAddress = (title: string, description: string) =>
  live('address', titled(title, Type.Optional(Name(2_000, description))))

/** Of a picture: an address, or `media:<name>` for one that was uploaded. */
export const OptionalPicture = (title: string, description: string) =>
  shows('picture', OptionalAddress(title, description))

/** The id of an uploaded picture or sound. */
export const MediaId = (kind: MediaKind, title: string, description: string) =>
  identifies(kind, titled(title, Type.Optional(Type.String({ pattern: mediaIdPattern, description }))))

export const caption = { label: Text('Label', 4_000, 'Text next to it; none when absent') }

/** For every type that asks something. */
export const question = {
  label: Text('Question', 4_000, 'The question; none when absent'),
  help: Text('Help text', 4_000, 'Explanation below the question; none when absent'),
}

export const ends = {
  minLabel: Text('Low-end label', 200, 'Label at the low end; none when absent'),
  maxLabel: Text('High-end label', 200, 'Label at the high end; none when absent'),
}

export const range = {
  min: defaultTo(0, Amount('Lowest value', 'Lowest value; 0 when absent')),
  max: defaultTo(100, Amount('Highest value', 'Highest value; 100 when absent')),
  ...ends,
}

interface Range {
  min: number
  max: number
}

/** A value on the scale. JSON Schema can only check a step that is counted from zero. */
export function ScaleValue({ min, max, step }: Range & { step?: number }) {
  const isCountedFromZero = step !== undefined && isWhole(min / step)
  return Type.Number({
    title: 'Value',
    minimum: min,
    maximum: max,
    ...(isCountedFromZero ? { multipleOf: step } : {}),
    description: 'A value on the scale',
  })
}

/** 0.3 / 0.1 is not quite 3. */
export const isWhole = (quotient: number) => Math.abs(quotient - Math.round(quotient)) < 1e-9

export const rangeFindings = ({ min, max }: Range, written: object): Finding[] =>
  notAbove(written, 'min', min, 'max', max, { strictly: true })

/** Reports the setting that was given; the upper one if both were. */
export function notAbove<Value extends number | string>(
  written: object,
  lowName: string,
  low: Value,
  highName: string,
  high: Value,
  { strictly = false } = {},
): Finding[] {
  if (low < high || (low === high && !strictly)) return []
  const place = Object.hasOwn(written, highName) ? highName : lowName
  return [
    error(
      `/${place}`,
      strictly
        ? `${lowName} (${low}) must be less than ${highName} (${high})`
        : `${lowName} (${low}) must not be greater than ${highName} (${high})`,
    ),
  ]
}

const otherScheme = /^\s*(?!https?:)[a-z][a-z0-9+.-]*:/i

/** Refuses `javascript:` and the like, because other people open the page. */
export const addressFindings = (path: string, address: string | undefined): Finding[] =>
  address !== undefined && otherScheme.test(address)
    ? [error(path, 'the address must start with https:// or http://, or be a path')]
    : []

/** Where a picture or a sound may be named as `media:<name>`, too; whether there is such a file, the server knows. */
export const mediaFindings = (path: string, address: string | undefined): Finding[] =>
  mediaNameIn(address) === undefined ? addressFindings(path, address) : []

export const imageFindings = (path: string, address: string | undefined): Finding[] =>
  address?.startsWith('data:image/') ? [] : mediaFindings(path, address)

interface Source {
  src: string | undefined
  mediaId: string | undefined
}

/** One of the two says what is shown. */
export function pictureFindings({ src, mediaId }: Source): Finding[] {
  if (src === undefined && mediaId === undefined)
    return [error('/src', 'is missing; set mediaId for an uploaded picture, or src for an address')]
  if (src !== undefined && mediaId !== undefined)
    return [error('/src', 'names a second picture beside mediaId; remove one of them')]
  return imageFindings('/src', src)
}
