import { Button, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { readJson } from '../../definition/json-places.ts'
import { type FieldProps, useFormTools, useInputProps } from './form-tools.tsx'

/** For what no form knows: its JSON, which is applied as soon as it can be read. */
export function JsonField(props: FieldProps) {
  const { at, value, isRequired } = props
  const { set, isReadOnly, remove } = useFormTools()
  const { onBlur, error, ...shared } = useInputProps(props)
  const [typed, setTyped] = useState<string>()
  const read = typed === undefined ? undefined : readJson(typed)
  const change = (text: string) => {
    setTyped(text)
    if (text.trim() === '' && !isRequired) return set(at, undefined)
    const now = readJson(text)
    if (now.ok) set(at, now.value)
  }
  return (
    <div data-at={at}>
      <Textarea
        {...shared}
        className="builder-code-input"
        value={typed ?? (value === undefined ? '' : JSON.stringify(value, null, 2))}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={() => {
          // What cannot be read stays, with what is wrong with it.
          if (read?.ok !== false) setTyped(undefined)
          onBlur()
        }}
        error={read?.ok === false && typed !== '' ? texts().builder.form.notJson(read.message) : error}
        autosize
        minRows={1}
        maxRows={16}
        spellCheck={false}
      />
      {!isRequired && !isReadOnly && value !== undefined && (
        <Group mt={2}>
          <Button size="compact-xs" variant="subtle" color="red" onClick={() => remove(at)}>
            {texts().builder.form.remove}
          </Button>
        </Group>
      )}
    </div>
  )
}
