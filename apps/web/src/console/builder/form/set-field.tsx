import { Checkbox, Stack } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { listIn } from '../core/document.ts'
import { type FieldProps, useFormTools, useInputProps } from './form-tools.tsx'

/** Any of several values: a box for each, and none chosen is the same as absent. */
export function SetField(props: FieldProps & { options: readonly unknown[] }) {
  const { at, name, value, options } = props
  const { set } = useFormTools()
  const { disabled, onBlur, withAsterisk: _, ...shared } = useInputProps(props)
  const { form } = texts().builder
  const chosen = listIn(value)
  function toggle(option: unknown, isOn: boolean): void {
    // In the order of the options, so that the same choice is always written in the same way.
    const next = options.filter((each) => (each === option ? isOn : chosen.includes(each)))
    set(at, next.length > 0 ? next : undefined)
    onBlur()
  }
  return (
    <Checkbox.Group {...shared} data-at={at} value={chosen.map(String)}>
      <Stack gap="xs" mt="xs">
        {options.map((option) => (
          <Checkbox
            key={String(option)}
            size="sm"
            value={String(option)}
            label={form.sets[name]?.[String(option)]?.label ?? form.option(option)}
            description={form.sets[name]?.[String(option)]?.meaning}
            disabled={disabled}
            onChange={(event) => toggle(option, event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
