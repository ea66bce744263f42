import { roundMoney } from '@atrium/contract'

interface AmountForm {
  currency?: string | undefined
  unit?: string | undefined
  decimals?: number | undefined
}

/** An amount, or a list of amounts, formatted for a locale. Anything but a number is shown as it is. */
export function amountText(value: unknown, form: AmountForm, locale: string): string {
  const { currency, unit } = form
  const values = Array.isArray(value) ? value : [value]
  if (values.length === 0) return '–'
  const text = values.map((one) => plainAmount(one, form, locale)).join(', ')
  const isCounted = values.some((one) => typeof one === 'number')
  return isCounted && currency === undefined && unit !== undefined && unit !== '' ? `${text} ${unit}` : text
}

function plainAmount(value: unknown, { currency, decimals }: AmountForm, locale: string): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !Number.isFinite(value)) return '–'
  return new Intl.NumberFormat(locale, {
    ...(currency !== undefined && { style: 'currency', currency }),
    ...(decimals !== undefined && { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  }).format(currency !== undefined && decimals === undefined ? roundMoney(value, currency) : value)
}
