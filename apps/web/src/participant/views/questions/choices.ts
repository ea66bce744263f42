import type { Option, OptionValue } from '../settings/options.ts'
import { isRecord, listIn } from './answer.ts'

/** What is chosen, independent of the wire format. */
export interface Choices {
  values: readonly OptionValue[]
  /** Undefined: no own answer. Empty: chosen, but nothing is written yet. */
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
  /** With 0, choosing nothing is an answer. */
  minChoices: number
  options: readonly Option[]
}

/** The answer in the contract’s form; undefined when nothing is chosen. */
export function answerFrom(
  { values, other }: Choices,
  { multiple, minChoices, options }: ChoiceRule,
): unknown {
  // In the order of the definition, so that the same choice is the same answer whatever was pressed first.
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

/** E.g. “Choose 2 to 3.” */
export function countHint(least: number, most: number, available: number): string {
  if (least === most) return `Choose ${least}.`
  if (most >= available) return least > 1 ? `Choose at least ${least}.` : 'Choose all that apply.'
  return least > 1 ? `Choose ${least} to ${most}.` : `Choose up to ${most}.`
}
