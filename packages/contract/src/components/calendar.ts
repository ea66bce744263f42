import { Type } from 'typebox'
import { declareType } from './component-type.ts'
import { patternOfDates } from './date-pattern.ts'
import type { Received } from './received.ts'
import { notAbove, question } from './settings.ts'

/** `2026-05-17`. Dates written like this sort as text. */
const IsoDate = (title: string, description: string) =>
  Type.Optional(Type.String({ title, format: 'date', description }))

const settings = Type.Object({
  ...question,
  min: IsoDate('Earliest date', 'Earliest date, as in 2026-05-17; no limit when absent'),
  max: IsoDate('Latest date', 'Latest date, as in 2026-05-17; no limit when absent'),
})

type Bounds = Pick<Received<typeof settings>, 'min' | 'max'>

/** All that browsers let people enter. */
const first = '0001-01-01'
const last = '9999-12-31'

function inWords({ min, max }: Bounds): string {
  if (min !== undefined && max !== undefined) return `from ${min} to ${max}`
  if (min !== undefined) return `${min} or later`
  return max === undefined ? 'any' : `${max} or earlier`
}

export const date = declareType({
  type: 'date',
  title: 'Date',
  description: 'A calendar date, typed or picked from the calendar of the browser.',
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The date as text, year first: 2026-05-17.',
  example: {
    settings: { label: 'When were you born?', min: '1900-01-01', max: '2026-12-31' },
    response: '1994-05-17',
  },
  response: (bounds) => {
    const { min = first, max = last } = bounds
    const isBounded = bounds.min !== undefined || bounds.max !== undefined
    return Type.String({
      title: 'Date',
      format: 'date',
      description: `A date as in 2026-05-17; ${inWords(bounds)}`,
      ...(isBounded && { pattern: patternOfDates(min, max) }),
    })
  },
  findings: ({ min, max }, written) =>
    min === undefined || max === undefined ? [] : notAbove(written, 'min', min, 'max', max),
  simulated: { usualMs: 4_000 },
})
