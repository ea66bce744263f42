import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../../../text/console.ts'
import { isObject } from '../core/document.ts'
import { type FieldProps, useFormTools } from './form-tools.tsx'
import { labelOf } from './schema.ts'
import { TextField } from './text-field.tsx'

/** A setting that is either fixed, in the form of its kind, or an expression that is evaluated for each participant. */
export function FromValueField({ children, ...props }: FieldProps & { children: ReactNode }) {
  const { schema, at, name, value, isRequired } = props
  const { set, isReadOnly } = useFormTools()
  const words = texts().builder.form
  const expression = expressionIn(value)
  const label = props.label ?? labelOf(name, schema)
  const change = (text: string, what: string, next: unknown) =>
    !isReadOnly && (
      <Button
        className="builder-from-value-switch"
        size="compact-xs"
        variant="subtle"
        aria-label={what}
        onClick={() => set(at, next)}
      >
        {text}
      </Button>
    )
  if (expression === undefined)
    return (
      <div className="builder-from-value">
        {children}
        {change(words.fromValue, words.fromValueOf(label), { from: written(value ?? schema.default) })}
      </div>
    )
  const asText = { type: 'string', title: label, description: words.expression(schema.description ?? '') }
  return (
    <div className="builder-from-value">
      <TextField
        {...props}
        schema={asText}
        {...(isObject(value) && { at: `${at}/from` })}
        value={expression}
        isRequired
        isLong={false}
        byLanguage={false}
      />
      {change(words.fixed, words.fixedOf(label), isRequired ? (schema.default ?? null) : undefined)}
    </div>
  )
}

/** `{"from": "expression"}`, or one in braces. */
function expressionIn(value: unknown): string | undefined {
  if (isObject(value)) return typeof value.from === 'string' ? value.from : undefined
  return typeof value === 'string' && value.startsWith('{{') && value.endsWith('}}') ? value : undefined
}

/** What the setting was, as the expression to begin with. */
const written = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
