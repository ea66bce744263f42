import { Type } from 'typebox'
import { identifierPattern } from '../name-patterns.ts'
import { defaultTo, inUnit, titled } from './annotations.ts'
import { declareType } from './component-type.ts'
import {
  Choice,
  caption,
  DurationMs,
  MediaId,
  OptionalPicture,
  pictureFindings,
  Text,
  Whole,
} from './settings.ts'

/** Types that accept no responses. */
const shown = { responds: 'none', requiredByDefault: false } as const

export const text = declareType({
  ...shown,
  type: 'text',
  title: 'Text',
  description: 'A text to read.',
  place: 'both',
  settings: Type.Object({
    text: defaultTo('', Text('Text', 100_000, 'The text; empty when absent', { format: 'markdown' })),
    format: Choice('Format', ['markdown', 'plain'], 'Format of the text'),
  }),
  records: 'Nothing.',
  example: { settings: { text: 'You will answer **two** short questions.' } },
})

export const image = declareType({
  ...shown,
  type: 'image',
  title: 'Image',
  description: 'A picture.',
  place: 'both',
  settings: Type.Object({
    src: OptionalPicture('Picture', 'Address of the picture; `mediaId` is used when absent'),
    mediaId: MediaId('picture', 'Uploaded picture', 'Id of an uploaded picture; `src` is used when absent'),
    alt: defaultTo('', Text('Alternative text', 1_000, 'Description of the picture; empty when absent')),
    caption: Text('Caption', 1_000, 'Text under the picture; none when absent'),
    width: inUnit('px', Whole('Width', 1, 10_000, 'Width in pixels; the available width when absent')),
  }),
  records: 'Nothing.',
  example: { settings: { src: 'https://example.org/map.png', alt: 'A map of the island' } },
  findings: pictureFindings,
})

export const countdown = declareType({
  ...shown,
  type: 'countdown',
  title: 'Countdown',
  description: 'A countdown for the participant. It only displays time; the state ends by its own rule.',
  place: 'both',
  // One of its own length is another clock than that of the deadline.
  insteadOfFrame: ({ durationMs }) => (durationMs === undefined ? 'clock' : null),
  settings: Type.Object({
    ...caption,
    durationMs: DurationMs(
      'Duration',
      'Time to count down from when the state is entered; the time left in the state when absent',
    ),
  }),
  records: 'Nothing.',
  example: { settings: { label: 'The next round begins in', durationMs: 10_000 } },
})

export const payoff = declareType({
  ...shown,
  type: 'payoff',
  title: 'Payoff',
  description:
    'The value of a variable, such as the participant’s earnings. For a list, each value is shown.',
  place: 'both',
  variableSetting: 'variable',
  settings: Type.Object({
    variable: titled(
      'Variable',
      Type.Optional(
        Type.String({
          pattern: identifierPattern,
          description: 'The variable to show; the one with the component’s id when absent',
        }),
      ),
    ),
    ...caption,
    currency: titled(
      'Currency',
      Type.Optional(
        Type.String({
          pattern: '^[A-Z]{3}$',
          description: 'ISO 4217 code, e.g. EUR; a plain number when absent',
        }),
      ),
    ),
    unit: Text('Unit', 100, 'Unit after a plain number; none when absent'),
    decimals: Whole(
      'Decimal places',
      0,
      6,
      'Digits after the decimal point; the default of the currency when absent',
    ),
  }),
  records:
    'Nothing itself. The variable is recorded whenever it changes, and as `payoff` when the participant finishes.',
  example: { settings: { variable: 'earned', label: 'You have earned', currency: 'EUR' } },
})

export const timer = declareType({
  ...shown,
  type: 'timer',
  title: 'Timer',
  description: 'A clock shown across states.',
  place: 'global',
  isInBar: true,
  insteadOfFrame: ({ direction }) => (direction === 'up' ? null : 'clock'),
  settings: Type.Object({
    ...caption,
    direction: Choice('Direction', ['down', 'up'], 'Time left in the state, or time since it was entered'),
  }),
  records: 'Nothing.',
  example: { settings: { label: 'Time left' } },
})

export const progress = declareType({
  ...shown,
  type: 'progress',
  title: 'Progress',
  description: 'The participant’s progress through the experiment.',
  place: 'global',
  isInBar: true,
  insteadOfFrame: () => 'progress',
  settings: Type.Object({
    ...caption,
    display: Choice('Display', ['bar', 'steps'], 'A bar, or “3 of 8”'),
  }),
  records: 'Nothing.',
  example: { settings: { display: 'steps' } },
})
