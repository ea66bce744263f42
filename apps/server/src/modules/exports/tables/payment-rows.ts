import { earningsOf, type Payment } from '@atrium/contract'
import type { WideColumns } from '../wide/wide-columns.ts'
import { numberIn, type Row, type TableRows, textIn } from './row.ts'

/** What people earned, by the payment that their revision declares. Agents earn nothing. */
export function paymentRows(
  participants: TableRows,
  { revisions }: WideColumns,
  payments: ReadonlyMap<number, Payment>,
): TableRows {
  /** What the room recorded at the end; where no room did, the variable's last value. */
  function earnedIn(name: string, row: Row): number | null {
    const columns = revisions.get(Number(row.revision))
    const places = [columns?.payoffs.get(name), columns?.variables.get(name)?.column]
    const cell = places.map((column) => column && row[column.name]).find((value) => value != null)
    return typeof cell === 'string' ? numberIn(JSON.parse(cell)) : null
  }

  function paidFor(row: Row): Row {
    const payment = payments.get(Number(row.revision))
    if (!payment) return {}
    const earned = payment.bonus === undefined ? null : earnedIn(payment.bonus, row)
    const earnings = earningsOf(payment, textIn(row.outcome), earned)
    return { ...earnings, total: earnings.amount }
  }

  return {
    types: participants.types,
    async rowsOf(parts, isLast) {
      const rows = await participants.rowsOf(parts, isLast)
      const people = rows.filter(({ agent }) => agent === null)
      return people.map((row) => ({ ...placeOf(row), ...paidFor(row) }))
    },
  }
}

function placeOf(row: Row): Row {
  const { participantId, revision, roomId, condition, role, alias } = row
  const { outcome, completionCode, completedAt } = row
  return { participantId, revision, roomId, condition, role, alias, outcome, completionCode, completedAt }
}
