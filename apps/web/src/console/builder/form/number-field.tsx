import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { type FieldProps, useFormTools, useInputProps } from './form-tools.tsx'
import { isDuration } from './schema.ts'

/** A number; a duration is written in seconds and kept in milliseconds. */
export function NumberField(props: FieldProps & { isWhole: boolean }) {
  const { schema, at, name, value, isRequired, isWhole } = props
  const { set } = useFormTools()
  const { onBlur, ...shared } = useInputProps(props)
  // What is being typed may be no number yet: “-”, “1.”.
  const [typed, setTyped] = useState<string | number>()
  const scale = isDuration(name, schema) ? 1_000 : 1
  const present = typeof value === 'number' ? value / scale : ''
  const change = (next: string | number) => {
    setTyped(next)
    if (typeof next === 'number') set(at, scale === 1 ? next : Math.round(next * scale))
    else if (next === '' && !isRequired) set(at, undefined)
  }
  return (
    <NumberInput
      {...shared}
      data-at={at}
      value={typed ?? present}
      onChange={change}
      onBlur={() => {
        setTyped(undefined)
        onBlur()
      }}
      allowDecimal={!isWhole || scale > 1}
      allowNegative={(schema.minimum ?? -1) < 0}
      decimalScale={scale > 1 ? 3 : 10}
      maw={280}
      {...(schema.default !== undefined &&
        typeof schema.default === 'number' && { placeholder: String(schema.default / scale) })}
      {...(scale > 1 ? { suffix: texts().builder.form.seconds } : {})}
    />
  )
}
