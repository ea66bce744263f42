import { Checkbox, NativeSelect } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { type FieldProps, useFormTools, useInputProps } from './form-tools.tsx'

/** One of several values; a box to tick where the question is yes or no and there is a default. */
export function ChoiceField(props: FieldProps & { options: readonly unknown[] }) {
  const { schema, at, name, value, isRequired, options } = props
  const { set } = useFormTools()
  const { withAsterisk, onBlur, ...shared } = useInputProps(props)
  const text = texts().builder.form
  const isTicked = typeof schema.default === 'boolean' || (isRequired && options.includes(true))
  if (isTicked) {
    const change = (isOn: boolean) => set(at, isOn === schema.default && !isRequired ? undefined : isOn)
    return (
      <Checkbox
        {...shared}
        data-at={at}
        checked={typeof value === 'boolean' ? value : schema.default === true}
        onChange={(event) => {
          change(event.currentTarget.checked)
          onBlur()
        }}
      />
    )
  }
  const labelOfOption = (option: unknown) => text.choices[name]?.[String(option)] ?? text.option(option)
  const chosen = options.indexOf(value)
  const change = (index: string) => {
    set(at, index === '' ? undefined : options[Number(index)])
    onBlur()
  }
  return (
    <NativeSelect
      {...shared}
      data-at={at}
      withAsterisk={withAsterisk}
      value={chosen < 0 ? '' : String(chosen)}
      onChange={(event) => change(event.currentTarget.value)}
      maw={360}
      data={[
        ...(isRequired && chosen >= 0 ? [] : [{ value: '', label: text.notSet }]),
        ...options.map((option, index) => ({ value: String(index), label: labelOfOption(option) })),
      ]}
    />
  )
}
