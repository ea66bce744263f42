import { earningsOf, type Payment } from '@atrium/contract'
import type { WideColumns } from '../wide/wide-columns.ts'
import { jsonOf, numberIn, type Row, type TableRows, textIn } from './row.ts'

type Payments = ReadonlyMap<number, Payment>

/** What people earned, by the payment that their revision declares. Agents earn nothing. */
export function paymentRows(participants: TableRows, wide: WideColumns, payments: Payments): TableRows {
  return {
    types: participants.types,
    async rowsOf(parts, isLast) {
      const rows = await participants.rowsOf(parts, isLast)
      const people = rows.filter(({ agent }) => agent === null)
      return people.map((row) => ({ ...placeOf(row), ...paidFor(row, wide, payments) }))
    },
  }
}

/** The rows of people with the amount that the table `payments` has. */
export function withAmounts(participants: TableRows, wide: WideColumns, payments: Payments): TableRows {
  return {
    types: participants.types,
    async rowsOf(parts, isLast) {
      const rows = await participants.rowsOf(parts, isLast)
      return rows.map((row) => {
        const { amount, currency } = row.agent === null ? paidFor(row, wide, payments) : {}
        return { ...row, paymentAmount: amount, paymentCurrency: currency }
      })
    },
  }
}

function paidFor(row: Row, wide: WideColumns, payments: Payments): Row {
  const payment = payments.get(Number(row.revision))
  if (!payment) return {}
  const { points, ...picked } = payment.pick ? pickedIn(row) : { points: bonusIn(row, wide, payment) }
  const earnings = earningsOf(payment, textIn(row.outcome), points ?? (isWithoutPart(row) ? 0 : null))
  return { ...earnings, total: earnings.amount, ...picked }
}

/** Whoever waited in vain has earned nothing on top of the base; a program without a room may complete with a bonus of its own. */
const isWithoutPart = ({ roomId, outcome }: Row): boolean => roomId === null && outcome === 'NOT_MATCHED'

/** What the room recorded at the end; where no room did, the variable's last value. */
function bonusIn(row: Row, { revisions }: WideColumns, { bonus }: Payment): number | null {
  if (bonus === undefined) return null
  const columns = revisions.get(Number(row.revision))
  const places = [columns?.payoffs.get(bonus), columns?.variables.get(bonus)?.column]
  const cell = places.map((column) => column && row[column.name]).find((value) => value != null)
  return typeof cell === 'string' ? numberIn(JSON.parse(cell)) : null
}

/** Only a room draws rounds. */
function pickedIn({ recordedPayment }: Row): { points: number | null } & Row {
  const recorded: Record<string, unknown> =
    typeof recordedPayment === 'string' ? JSON.parse(recordedPayment) : {}
  const picked: Record<string, unknown>[] = Array.isArray(recorded.picked) ? recorded.picked : []
  return {
    points: numberIn(recorded.points),
    pickedRounds: recorded.picked === undefined ? null : jsonOf(picked.map(({ round }) => round)),
    pickedValues: recorded.picked === undefined ? null : jsonOf(picked.map(({ value }) => value)),
  }
}

function placeOf(row: Row): Row {
  const { participantId, revision, roomId, stage, condition, role, alias } = row
  const { outcome, completionCode, completedAt } = row
  return {
    participantId,
    revision,
    roomId,
    stage,
    condition,
    role,
    alias,
    outcome,
    completionCode,
    completedAt,
  }
}
