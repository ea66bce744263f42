import { type ExperimentDefinition, minorDigitsOf, type Payment } from '@atrium/contract'
import { type Evidence, exportedBy, type Invariant } from './evidence.ts'

type Line = Evidence['exported'][number]

/** Found from what was stored of each variable and state, not from what the room kept. */
export const paidWhatWasEarned: Invariant = {
  name: 'who is paid is paid what the rounds or the variable were worth',
  breaches(evidence) {
    const { definition, logs } = evidence
    const { payment } = definition.completion ?? {}
    if (!payment) return []
    const linesOf = exportedBy(evidence)
    return logs.flatMap((log) => {
      const lines = linesOf(log)
      const wrong = lines
        .filter(({ type }) => type === 'payment')
        .flatMap(({ data }) => wrongIn(data, payment, lines, definition))
      return wrong.map((sentence) => `${log.subject}: ${sentence}`)
    })
  },
}

function wrongIn(
  { picked, points, amount, isPaid }: Line['data'],
  payment: Payment,
  lines: readonly Line[],
  definition: ExperimentDefinition,
): string[] {
  const { pick } = payment
  if (!isPaid) return amount === 0 ? [] : [`is not paid, yet gets ${amount}`]
  const wrong: string[] = []
  if (pick) {
    const worth = worthOfRounds(lines, pick.of, definition)
    const rounds: unknown[] = Array.isArray(picked) ? picked : []
    const due = rounds.map((one) => worth.get(roundOf(Object(one))))
    if (due.some((value, index) => value !== Object(rounds[index]).value))
      wrong.push(`was worth ${due.join(' and ')}, not ${JSON.stringify(rounds)}`)
    if (new Set(rounds.map((one) => roundOf(Object(one)))).size !== Math.min(pick.rounds, worth.size))
      wrong.push(`has ${rounds.length} rounds paid of ${worth.size} that were played`)
    const sum = due.reduce<number>((total, value) => total + (value ?? Number.NaN), 0)
    if (Math.abs(sum - Number(points)) > 1e-9) wrong.push(`has ${points} points for rounds worth ${sum}`)
  }
  if (points !== null && !isDue(Number(amount), Number(points), payment))
    wrong.push(`gets ${amount} for ${points} points`)
  return wrong
}

/** Less than one minor unit away from the exact amount. */
function isDue(
  amount: number,
  points: number,
  { base = 0, rate = 1, min = 0, max = Infinity, currency }: Payment,
) {
  const exact = Math.min(Math.max(base + rate * points, min), max)
  return Math.abs(amount - exact) < 10 ** -minorDigitsOf(currency)
}

/** The value of the variable when somebody left each round, for rounds in which it was a number. */
function worthOfRounds(lines: readonly Line[], variable: string, definition: ExperimentDefinition) {
  const all = definition.blocks ?? []
  const inner = all.filter(({ id }) => all.some(({ states }) => states.includes(id)))
  const nested = new Set(inner.flatMap(({ states }) => states))
  const blocks = all.filter(({ id, rounds = 1 }) => rounds > 1 && !inner.some((one) => one.id === id))
  /** Of blocks in blocks, the round of the outermost, which only says who enters a state. */
  const keyAt = ({ type, stateId, round, data }: Line, before: string | null): string | null => {
    const [outermost]: unknown[] = Array.isArray(data.within) ? data.within : []
    if (outermost) {
      const { block: id, round: outer } = Object(outermost) as { block?: unknown; round?: unknown }
      return blocks.some((block) => block.id === id) ? roundOf({ blockId: id, round: outer }) : null
    }
    if (type !== 'state_transition' && stateId !== null && nested.has(stateId)) return before
    const block = blocks.find(({ states }) => stateId !== null && states.includes(stateId))
    return block && round !== null ? roundOf({ blockId: block.id, round }) : null
  }
  const worth = new Map<string, number>()
  let current: string | null = null
  let value: unknown = null
  for (const line of lines.filter(({ type }) => tellsPlace.includes(type))) {
    const key = keyAt(line, current)
    if (current !== null && key !== current && typeof value === 'number') worth.set(current, value)
    current = key
    if (line.type === 'variables_changed' && line.data.scope === 'participant')
      for (const change of Array.isArray(line.data.changes) ? line.data.changes : [])
        if (change.variable === variable) value = change.value
  }
  return worth
}

const tellsPlace = ['variables_changed', 'state_transition', 'payment', 'finished']

const roundOf = ({ blockId, round }: { blockId?: unknown; round?: unknown }): string => `${blockId}/${round}`
