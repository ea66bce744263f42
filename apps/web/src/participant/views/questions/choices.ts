import { texts } from '../../../text/participant.ts'
import type { Option, OptionValue } from '../settings/options.ts'
import { isRecord, listIn } from './answer.ts'

/** The chosen options, independent of their form on the wire. */
export interface Choices {
  values: readonly OptionValue[]
  /** The participant’s own answer: undefined if not chosen, empty if chosen but not yet written. */
  other: string | undefined
}

export function choicesIn(answer: unknown): Choices {
  const list = listIn(answer)
  const own = list.find(isRecord)?.other
  return {
    values: list.filter((each) => typeof each === 'string' || typeof each === 'number'),
    other: typeof own === 'string' ? own : undefined,
  }
}

interface ChoiceRule {
  multiple: boolean
  /** With 0, choosing none is an answer. */
  minChoices: number
  options: readonly Option[]
}

/** The answer in the form of the contract; undefined if nothing is chosen. */
export function answerFrom(
  { values, other }: Choices,
  { multiple, minChoices, options }: ChoiceRule,
): unknown {
  // In the order of the definition, so that the order of clicks makes no difference.
  const chosen = options.map(({ value }) => value).filter((value) => values.includes(value))
  const list = [...chosen, ...(other === undefined ? [] : [{ other }])]
  if (!multiple) return list[0]
  return list.length === 0 && minChoices > 0 ? undefined : list
}

export const countOf = ({ values, other }: Choices): number => values.length + (other === undefined ? 0 : 1)

export function withValue({ values, other }: Choices, value: OptionValue, multiple: boolean): Choices {
  if (!multiple) return { values: [value], other: undefined }
  const without = values.filter((each) => each !== value)
  return { values: without.length === values.length ? [...values, value] : without, other }
}

export const withOther = ({ values }: Choices, other: string | undefined, multiple: boolean): Choices => ({
  values: multiple || other === undefined ? values : [],
  other,
})

/** “Choose 2 to 3.” */
export function countHint(min: number, max: number, available: number): string {
  const { exactly, between, atLeast, upTo, allThatApply } = texts().views.choice
  if (min === max) return exactly(min)
  if (max >= available) return min > 1 ? atLeast(min) : allThatApply
  return min > 1 ? between(min, max) : upTo(max)
}
