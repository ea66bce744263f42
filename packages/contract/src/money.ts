/** A number as its decimal digits say: `units` / 10^`places`. */
interface Decimal {
  units: bigint
  places: number
}

/** What a double keeps of any decimal number. Beyond it are the traces of binary arithmetic: 1.0349999999999999 is 1.035. */
const exactDigits = 15

function decimalOf(value: number): Decimal {
  const [digits = '', exponent = '0'] = value.toPrecision(exactDigits).split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  const places = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return places < 0 ? { units: units * 10n ** BigInt(-places), places: 0 } : { units, places }
}

const numberOf = ({ units, places }: Decimal): number => Number(`${units}e${-places}`)

function plus(one: Decimal, other: Decimal): Decimal {
  const places = Math.max(one.places, other.places)
  const scaled = ({ units, places: own }: Decimal) => units * 10n ** BigInt(places - own)
  return { units: scaled(one) + scaled(other), places }
}

export type Rounding = 'nearest' | 'up'

/** `nearest` is half away from zero, as people round money. */
function rounded({ units, places }: Decimal, to: number, how: Rounding = 'nearest'): Decimal {
  if (places <= to) return { units, places }
  const step = 10n ** BigInt(places - to)
  // Division drops what is behind the point, so that a negative amount is rounded up by that alone.
  const added = how === 'up' ? (units > 0n ? step - 1n : 0n) : units < 0n ? -step / 2n : step / 2n
  return { units: (units + added) / step, places: to }
}

/** Adds as on paper: 0.1 + 0.2 is 0.3. */
export function sumOf(one: number, other: number): number {
  const roughly = one + other
  // No decimal number is as large as that, and nobody pays it.
  return Number.isFinite(roughly) ? numberOf(plus(decimalOf(one), decimalOf(other))) : roughly
}

/** Multiplies as on paper: 1.1 times 1.1 is 1.21. */
export function productOf(one: number, other: number): number {
  const [left, right] = [decimalOf(one), decimalOf(other)]
  return numberOf({ units: left.units * right.units, places: left.places + right.places })
}

/** Those that are in use, by their codes. */
export const currencies = (): ReadonlySet<string> => new Set(Intl.supportedValuesOf('currency'))

/** The digits of the minor unit of a currency (ISO 4217): 2 for most, 0 for JPY, 3 for KWD. */
export const minorDigitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** To the minor unit of the currency, by default half away from zero: 1.005 EUR is 1.01 EUR. */
export const roundMoney = (amount: number, currency: string, how?: Rounding): number =>
  numberOf(rounded(decimalOf(amount), minorDigitsOf(currency), how))

/** With all digits of the minor unit, a dot and never an exponent: `12.00`. */
export function plainMoney(amount: number, currency: string): string {
  const digits = minorDigitsOf(currency)
  return new Intl.NumberFormat('en', {
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(roundMoney(amount, currency))
}
