import { unlimitedSlots } from '@atrium/contract'
import { locale } from './locale.ts'

const plain = new Intl.NumberFormat(locale)
const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
const oneDigit = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })

export const formatNumber = (value: number): string => plain.format(value)
/** For the axes of plots, where there is little room. */
export const formatShort = (value: number): string => short.format(value)

export const formatPlaces = (availableSlots: number): string =>
  availableSlots >= unlimitedSlots ? 'unlimited' : plain.format(availableSlots)

export const formatShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : share.format(part / whole)

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${plain.format(count)} ${count === 1 ? one : many}`

const byteUnits = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), byteUnits.length - 1)
  return `${oneDigit.format(bytes / 1_000 ** power)} ${byteUnits[power]}`
}
