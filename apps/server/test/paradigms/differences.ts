import type { ExportedRow } from '@atrium/contract'
import type { Recomputed } from './recomputation.ts'

export interface StoredResults {
  participants: ExportedRow<'participants'>[]
  payments: ExportedRow<'payments'>[]
}

/** Where what the platform stored is not what was computed again, or was not computed again at all. */
export function differencesBetween(
  { participants, payments }: StoredResults,
  recomputed: readonly Recomputed[],
): string[] {
  const expectedOf = new Map(recomputed.map((one) => [one.participantId, one]))
  const paymentOf = new Map(payments.map((row) => [row.participantId, row]))
  return participants.flatMap((row) => {
    const { participantId, outcome } = row
    const expected = expectedOf.get(participantId)
    if (!expected) return outcome === 'SUCCESS' ? [`${participantId} was not computed again`] : []
    const paid = paymentOf.get(participantId)
    return [
      ...variableDifferences(row, expected),
      ...(paid?.currency == null || expected.amount === paid.amount
        ? []
        : [`${participantId} is paid ${paid.amount}, not ${expected.amount}`]),
    ]
  })
}

function variableDifferences(row: Record<string, unknown>, { participantId, variables }: Recomputed) {
  const payoffs = Object.keys(row).flatMap((column) =>
    column.startsWith('payoff_') ? [column.slice('payoff_'.length)] : [],
  )
  const forgotten = payoffs
    .filter((name) => !Object.hasOwn(variables, name))
    .map((name) => `the payoff ${name} of ${participantId} was not computed again`)
  const wrong = Object.entries(variables).flatMap(([name, value]) =>
    // Payoffs are recorded once more when somebody's part ends.
    [`var_${name}`, ...(payoffs.includes(name) ? [`payoff_${name}`] : [])]
      .filter((column) => !isSame(row[column], value))
      .map((column) => `${column} of ${participantId} is ${shown(row[column])}, not ${shown(value)}`),
  )
  return [...forgotten, ...wrong]
}

/** Sums of fractions may be added in another order than the platform did. */
function isSame(stored: unknown, expected: unknown): boolean {
  if (typeof stored === 'number' && typeof expected === 'number') return Math.abs(stored - expected) < 1e-9
  if (Array.isArray(stored) && Array.isArray(expected))
    return stored.length === expected.length && stored.every((one, index) => isSame(one, expected[index]))
  return JSON.stringify(stored) === JSON.stringify(expected)
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'missing'
