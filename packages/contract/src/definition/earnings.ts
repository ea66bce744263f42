import { roundMoney, sumOf } from '../money.ts'
import type { Payment } from './completion.ts'
import { success } from './outcomes.ts'

export interface Earnings {
  isPaid: boolean
  /** Both parts are whole minor units and add up to the amount. Null if the value of the variable is not known. */
  base: number
  bonus: number | null
  amount: number | null
  amountUnrounded: number | null
  currency: string
}

/**
 * R64: what somebody earned. The one place that rounds: the sum, once, so that the parts follow from it. `bonusValue` is the
 * value of the variable that the payment names, if it names one.
 */
export function earningsOf(
  { currency, base = 0, bonus, outcomes = [success] }: Payment,
  outcome: string | null,
  bonusValue: number | null,
): Earnings {
  if (outcome === null || !outcomes.includes(outcome))
    return { isPaid: false, base: 0, bonus: 0, amount: 0, amountUnrounded: 0, currency }
  const paidBase = roundMoney(base, currency)
  const earned = bonus === undefined ? 0 : bonusValue
  if (earned === null || !Number.isFinite(earned))
    return { isPaid: true, base: paidBase, bonus: null, amount: null, amountUnrounded: null, currency }
  const amountUnrounded = sumOf(base, earned)
  const amount = roundMoney(amountUnrounded, currency)
  return { isPaid: true, base: paidBase, bonus: sumOf(amount, -paidBase), amount, amountUnrounded, currency }
}
