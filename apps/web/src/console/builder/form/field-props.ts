import { descriptionOf, withCode } from './description.tsx'
import { type FieldProps, useFormTools } from './form-tools.tsx'
import { labelOf } from './schema.ts'

/** What every input of a form has in common: its words, and what is wrong with it. */
export function useInputProps({ schema, at, name, isRequired, label }: FieldProps) {
  const { findingsAt, isReadOnly, settle } = useFormTools()
  const findings = findingsAt(at)
  const messages = findings.map(({ message }) => message).join(' · ')
  const description = descriptionOf(name, schema)
  return {
    label: label ?? labelOf(name, schema),
    description: description === undefined ? undefined : withCode(description),
    error: messages === '' ? undefined : withCode(messages),
    withAsterisk: isRequired,
    disabled: isReadOnly,
    onBlur: settle,
    size: 'sm',
  } as const
}
