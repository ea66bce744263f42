import { productOf, roundMoney, sumOf } from '../money.ts'
import { success } from './outcomes.ts'
import type { Payment } from './payment.ts'

export interface Earnings {
  isPaid: boolean
  /** Both parts are whole minor units and add up to the amount. Null if the value of the variable is not known. */
  base: number
  bonus: number | null
  amount: number | null
  amountUnrounded: number | null
  currency: string
}

export const isPaidFor = ({ outcomes = [success] }: Payment, outcome: string | null): boolean =>
  outcome !== null && outcomes.includes(outcome)

/**
 * R64: what somebody earned. The one place that rounds: the sum, once, so that the parts follow from it. `points` is the
 * value of the variable that the payment names, or the sum of the rounds that were drawn.
 */
export function earningsOf(payment: Payment, outcome: string | null, points: number | null): Earnings {
  const { currency, base = 0, bonus, pick, rate = 1, rounding } = payment
  if (!isPaidFor(payment, outcome))
    return { isPaid: false, base: 0, bonus: 0, amount: 0, amountUnrounded: 0, currency }
  const paidBase = roundMoney(base, currency, rounding)
  const earned = bonus === undefined && pick === undefined ? 0 : moneyFor(points, rate)
  if (earned === null)
    return { isPaid: true, base: paidBase, bonus: null, amount: null, amountUnrounded: null, currency }
  const amountUnrounded = within(payment, sumOf(base, earned))
  const amount = roundMoney(amountUnrounded, currency, rounding)
  return { isPaid: true, base: paidBase, bonus: sumOf(amount, -paidBase), amount, amountUnrounded, currency }
}

const within = ({ min = -Infinity, max = Infinity }: Payment, amount: number): number =>
  Math.min(Math.max(amount, min), max)

/** Null for what no expression should give, and nobody could pay. */
function moneyFor(points: number | null, rate: number): number | null {
  if (points === null || !Number.isFinite(points)) return null
  const money = productOf(rate, points)
  return Number.isFinite(money) ? money : null
}
