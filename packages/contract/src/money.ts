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

/** Half away from zero, as people round money. */
function rounded({ units, places }: Decimal, to: number): Decimal {
  if (places <= to) return { units, places }
  const step = 10n ** BigInt(places - to)
  const half = units < 0n ? -step / 2n : step / 2n
  return { units: (units + half) / step, places: to }
}

/** Adds as on paper: 0.1 + 0.2 is 0.3. */
export const sumOf = (one: number, other: number): number => numberOf(plus(decimalOf(one), decimalOf(other)))

/** The digits of the minor unit of a currency (ISO 4217): 2 for most, 0 for JPY, 3 for KWD. */
export const minorDigitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** To the minor unit of the currency, half away from zero: 1.005 EUR is 1.01 EUR. */
export const roundMoney = (amount: number, currency: string): number =>
  numberOf(rounded(decimalOf(amount), minorDigitsOf(currency)))

/** With all digits of the minor unit, a dot and never an exponent: `12.00`. */
export function plainMoney(amount: number, currency: string): string {
  const digits = minorDigitsOf(currency)
  return new Intl.NumberFormat('en', {
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(roundMoney(amount, currency))
}
