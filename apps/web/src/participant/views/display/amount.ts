interface AmountForm {
  currency?: string | undefined
  unit?: string | undefined
  decimals?: number | undefined
}

/** A sum in the words of the reader’s language. What is no number is shown as it is. */
export function amountText(value: unknown, form: AmountForm, locale?: string): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !Number.isFinite(value)) return '–'
  const { currency, unit, decimals } = form
  const text = new Intl.NumberFormat(locale, {
    ...(currency !== undefined && { style: 'currency', currency }),
    ...(decimals !== undefined && { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  }).format(value)
  return currency === undefined && unit !== undefined && unit !== '' ? `${text} ${unit}` : text
}
