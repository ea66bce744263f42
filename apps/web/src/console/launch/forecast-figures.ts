import type { PaymentForecast } from '@atrium/contract'
import { texts } from '../../text/console.ts'

/** The contract takes no more. */
export const maxPeople = 1_000_000

/** The number that somebody wrote; undefined if it is none, or out of range. */
export function peopleIn(written: string | number): number | undefined {
  const people = written === '' ? Number.NaN : Number(written)
  return Number.isInteger(people) && people >= 1 && people <= maxPeople ? people : undefined
}

interface ForecastFigure {
  label: string
  value: string
  note?: string
}

export function forecastFigures({ perPerson, total, people, currency }: PaymentForecast): ForecastFigure[] {
  if (perPerson === null || total === null) return []
  const text = texts().launch.forecast
  const money = (amount: number) => text.money(amount, currency)
  const { mean, lowest, highest } = perPerson
  return [
    { label: text.total, value: money(total), note: text.forPeople(people) },
    { label: text.mean, value: money(mean), note: text.perPerson },
    { label: text.range, value: text.fromTo(money(lowest), money(highest)), note: text.perPerson },
  ]
}

/** What the figures are about, and what is wrong with the payment. */
export function forecastNotes({ simulated, paid, unpaid, unknown }: PaymentForecast): {
  basis: string
  warnings: string[]
} {
  const text = texts().launch.forecast
  return {
    basis: simulated === 0 ? text.tooLarge : text.basis(simulated),
    warnings: [
      ...(unknown > 0 ? [text.unknown(unknown, simulated)] : []),
      ...(simulated > 0 && paid + unknown === 0 ? [text.nobodyPaid] : []),
      ...(unpaid > 0 && paid > 0 ? [text.unpaid(unpaid, simulated)] : []),
    ],
  }
}
