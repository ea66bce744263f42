import { fields, listOf, misfit, type ReadBy, type Reader, text } from './reader.ts'

export type OptionValue = string | number

/** Something to choose, whichever of its short forms the definition used. */
export interface Option {
  value: OptionValue
  label: string
  image: string | undefined
  /** What the picture shows; empty when the label beside it says so already. */
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

/** Read out beside its label, a picture without words of its own would only say the label twice. */
const named = ({ value, label, image, alt }: ReadBy<typeof longForm>): Option => ({
  value,
  label: label ?? String(value),
  image,
  alt: alt ?? '',
})

export const options: Reader<Option[]> = listOf(option)
