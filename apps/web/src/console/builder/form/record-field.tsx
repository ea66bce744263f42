import { Autocomplete, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { freshName, isObject, pointerOf } from '../core/document.ts'
import { ProblemLines } from '../problems/problem-marks.tsx'
import { descriptionOf, withCode } from './description.tsx'
import { Fold } from './fold.tsx'
import { type FieldProps, useFormTools } from './form-tools.tsx'
import { RemoveButton } from './object-field.tsx'
import { blankOf, isSimple, labelOf, type Schema } from './schema.ts'

/** Names that the researcher chooses, each with a value: variables, codes, assignments. */
export function RecordField(props: FieldProps & { values: Schema; isOpenAtFirst?: boolean }) {
  const { schema, at, name, value, isRequired, values, isOpenAtFirst = false } = props
  const { isReadOnly, set, remove, goTo, suggestionsFor } = useFormTools()
  const record = isObject(value) ? value : {}
  const title = props.label ?? labelOf(name, schema)
  const text = texts().builder.form
  const known = suggestionsFor(name) ?? []
  const add = () => {
    const taken = Object.keys(record)
    const next = known.find((each) => !taken.includes(each)) ?? freshName('name', taken, '_')
    const place = at + pointerOf([next])
    set(place, blankOf(values))
    goTo(place)
  }
  return (
    <Fold
      at={at}
      title={title}
      note={String(Object.keys(record).length)}
      isOpenAtFirst={isOpenAtFirst || Object.keys(record).length <= 10}
      actions={
        !isRequired &&
        !isReadOnly &&
        value !== undefined && <RemoveButton what={title} onClick={() => remove(at)} />
      }
    >
      {() => (
        <Stack gap="xs">
          <Text size="xs" c="dimmed">
            {withCode(descriptionOf(name, schema) ?? '')}
          </Text>
          <ProblemLines at={at} />
          {Object.entries(record).map(([key, entry], index) => (
            <Entry key={index} at={at} name={key} known={known} value={entry} values={values} />
          ))}
          {!isReadOnly && (
            <Group>
              <Button size="compact-sm" variant="light" onClick={add}>
                {text.addTo(title)}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Fold>
  )
}

interface EntryProps {
  at: string
  name: string
  /** Names that mean something here. */
  known: readonly string[]
  value: unknown
  values: Schema
}

function Entry({ at, name, known, value, values }: EntryProps) {
  const { Field, isReadOnly, rename, remove } = useFormTools()
  // Applied when the field is left: half a name may be another one.
  const [typed, setTyped] = useState<string>()
  const text = texts().builder.form
  const place = at + pointerOf([name])
  const field = (
    <Field schema={values} at={place} name="" value={value} isRequired label={text.valueOf(name)} />
  )
  const nameField = (
    <Autocomplete
      label={text.name}
      data={[...known]}
      value={typed ?? name}
      disabled={isReadOnly}
      onChange={setTyped}
      onBlur={() => {
        if (typed) rename(place, typed)
        setTyped(undefined)
      }}
      style={{ flex: 1, minWidth: 0 }}
    />
  )
  const removal = !isReadOnly && <RemoveButton what={name} onClick={() => remove(place)} />
  if (isSimple(values))
    return (
      <Group gap="xs" wrap="nowrap" align="flex-end" data-at={place}>
        {nameField}
        <div style={{ flex: 2, minWidth: 0 }}>{field}</div>
        {removal}
      </Group>
    )
  return (
    <Fold at={place} title={name} note={inShort(value)} actions={removal}>
      {() => (
        <Stack gap="xs">
          {nameField}
          {field}
        </Stack>
      )}
    </Fold>
  )
}

const longest = 60

function inShort(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
