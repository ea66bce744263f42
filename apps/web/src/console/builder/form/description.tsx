import type { ReactNode } from 'react'
import { texts } from '../../../text/console.ts'
import { isDuration, type Schema } from './schema.ts'

const flags: Readonly<Record<string, boolean>> = { true: true, false: false }

/** The contract ends with what holds where a setting is absent (“; 4,000 when absent”); in a form it is not set. */
export function descriptionOf(name: string, schema: Schema): string | undefined {
  const { description } = schema
  if (description === undefined) return undefined
  const { form } = texts().builder
  const isInSeconds = isDuration(name, schema)
  // Durations are kept in milliseconds and shown in seconds.
  const inSeconds = (value: string) =>
    /^[\d,]+$/.test(value) ? `${Number(value.replaceAll(',', '')) / 1_000}${form.seconds}` : value
  const inWords = (value: string) => {
    const flag = flags[value]
    if (flag !== undefined) return form.option(flag).toLowerCase()
    return isInSeconds ? inSeconds(value) : value
  }
  return (isInSeconds ? description.replace(/,? in milliseconds/, '') : description).replace(
    /; ([^;]+?) when absent\b/,
    (_, value: string) => form.whenNotSet(inWords(value)),
  )
}

/** Descriptions of the contract mark names as \`code\`. */
export const withCode = (text: string): ReactNode =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))
