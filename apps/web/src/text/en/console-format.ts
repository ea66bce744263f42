import { unlimitedSlots } from '@atrium/contract'
import { createFormats } from '../formats.ts'
import { createPlurals } from '../plurals.ts'

export const locale = 'en-GB'

export const plurals = createPlurals(locale)

const formats = createFormats(locale, {
  none: '–',
  justNow: 'just now',
  byteUnits: ['bytes', 'KB', 'MB', 'GB', 'TB'],
  hours: 'h',
  minutes: 'min',
  seconds: 's',
  milliseconds: 'ms',
})

export const format = {
  ...formats,
  places: (availableSlots: number) =>
    availableSlots >= unlimitedSlots ? 'unlimited' : formats.number(availableSlots),
}
