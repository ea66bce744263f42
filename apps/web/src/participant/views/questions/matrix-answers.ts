import type { OptionValue } from '../settings/options.ts'
import { listIn } from './answer.ts'

type Answers = Readonly<Record<string, unknown>>

/** Rows are recorded as keys of an object. */
export const chosenIn = (answers: Answers, row: OptionValue): readonly unknown[] =>
  Object.hasOwn(answers, row) ? listIn(answers[row]) : []

/** The answers after a click; undefined when no row has an answer any more. */
export function withCell(
  answers: Answers,
  row: OptionValue,
  column: OptionValue,
  { multiple, columns }: { multiple: boolean; columns: readonly OptionValue[] },
): Answers | undefined {
  if (!multiple) return { ...answers, [row]: column }
  const before = chosenIn(answers, row)
  const isTaken = before.includes(column)
  const chosen = columns.filter((each) => (each === column ? !isTaken : before.includes(each)))
  const { [row]: _replaced, ...rest } = answers
  const next = chosen.length === 0 ? rest : { ...rest, [row]: chosen }
  return Object.keys(next).length === 0 ? undefined : next
}
