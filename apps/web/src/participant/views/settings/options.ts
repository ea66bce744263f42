import { fields, listOf, misfit, type ReadBy, type Reader, text } from './reader.ts'

export type OptionValue = string | number

/** An option, whether the definition used the short or the long form. */
export interface Option {
  value: OptionValue
  label: string
  image: string | undefined
  /** What the picture shows; empty if the label beside it already says so. */
  alt: string
}

const optionValue: Reader<OptionValue> = (value) =>
  typeof value === 'string' || typeof value === 'number' ? value : misfit

const longForm = fields({ value: optionValue, label: text, image: text, alt: text })

const option: Reader<Option> = (given) => {
  const short = optionValue(given)
  if (short !== misfit) return { value: short, label: String(short), image: undefined, alt: '' }
  const long = longForm(given)
  return long === misfit ? misfit : named(long)
}

/** Without an alternative text of its own, a picture would only repeat its label to screen readers. */
const named = ({ value, label, image, alt }: ReadBy<typeof longForm>): Option => ({
  value,
  label: label ?? String(value),
  image,
  alt: alt ?? '',
})

export const options: Reader<Option[]> = listOf(option)
