import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { isObject, pointerOf } from '../core/document.ts'
import { ProblemLines } from '../problems/problem-marks.tsx'
import { descriptionOf, withCode } from './description.tsx'
import { Fold } from './fold.tsx'
import { type FieldProps, useFormTools } from './form-tools.tsx'
import { blankOf, isSimple, labelOf, type Schema } from './schema.ts'

interface ObjectFieldProps extends FieldProps {
  properties: Readonly<Record<string, Schema>>
}

/** An object inside a form: folded, because most are optional and rarely looked at. */
export function ObjectField(props: ObjectFieldProps) {
  const { schema, at, name, value, isRequired, label, properties } = props
  const { isReadOnly, remove } = useFormTools()
  const fields = (
    <ObjectFields at={at} schema={schema} properties={properties} value={isObject(value) ? value : {}} />
  )
  // A form of a union has its title already.
  if (label !== undefined) return fields
  return (
    <Fold
      at={at}
      title={labelOf(name, schema)}
      isOpenAtFirst={isWholePart(at)}
      actions={
        !isRequired && !isReadOnly && <RemoveButton what={labelOf(name, schema)} onClick={() => remove(at)} />
      }
    >
      {() => (
        <>
          <Text size="xs" c="dimmed" mb="xs">
            {withCode(descriptionOf(name, schema) ?? '')}
          </Text>
          {fields}
        </>
      )}
    </Fold>
  )
}

/** A property of the definition itself or of a stage, which somebody came to see. */
const isWholePart = (at: string): boolean => /^(\/stages\/\d+)?\/[^/]+$/.test(at)

export function RemoveButton({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      color="red"
      onClick={onClick}
      aria-label={texts().builder.form.removeWhat(what)}
    >
      {texts().builder.form.remove}
    </Button>
  )
}

interface ObjectFieldsProps {
  at: string
  schema: Schema
  properties: Readonly<Record<string, Schema>>
  value: Record<string, unknown>
  /** Shown even while they are absent. */
  usual?: readonly string[]
  /** Shown elsewhere. */
  except?: readonly string[]
  /** Only some of the properties: what concerns the whole stands elsewhere. */
  isPart?: boolean
}

/** Up to this many settings are shown at once; of more, those that are set. */
const fewSettings = 5

/** The fields of an object: what is set or usual at once, the rest on request. */
export function ObjectFields({
  at,
  schema,
  properties,
  value,
  usual = [],
  except = [],
  isPart = false,
}: ObjectFieldsProps) {
  const { Field, isReadOnly, set, goTo, findingsWithin } = useFormTools()
  const { required = [] } = schema
  const names = Object.keys(properties).filter(
    (name) => !except.includes(name) && properties[name]?.const === undefined,
  )
  const isFew = names.length <= fewSettings
  const isSet = (name: string) => Object.hasOwn(value, name)
  const isShown = (name: string) =>
    isSet(name) ||
    required.includes(name) ||
    usual.includes(name) ||
    findingsWithin(placeOf(at, name)).length > 0 ||
    (isFew && isSimple(properties[name] ?? {}))
  // A field that was emptied must not vanish under the cursor.
  const [shown, setShown] = useState<readonly string[]>([])
  const now = names.filter((name) => shown.includes(name) || isShown(name))
  if (now.some((name) => !shown.includes(name))) setShown(now)
  const [isWhole, setWhole] = useState(false)
  const absent = names.filter((name) => !now.includes(name))
  const simple = absent.filter((name) => isSimple(properties[name] ?? {}))
  const complex = absent.filter((name) => !simple.includes(name))
  const unknown = Object.keys(value).filter(
    (name) => !Object.hasOwn(properties, name) && !except.includes(name),
  )
  const field = (name: string) => (
    <Field
      key={name}
      schema={properties[name] ?? {}}
      at={placeOf(at, name)}
      name={name}
      value={isSet(name) ? value[name] : undefined}
      isRequired={required.includes(name)}
    />
  )
  return (
    <Stack gap="sm">
      {!isPart && <ProblemLines at={at} />}
      {names.filter((name) => now.includes(name) || (isWhole && simple.includes(name))).map(field)}
      {unknown.map(field)}
      {!isReadOnly && (complex.length > 0 || (simple.length > 0 && !isWhole)) && (
        <Group gap="xs">
          {simple.length > 0 && !isWhole && (
            <Button size="compact-sm" variant="default" onClick={() => setWhole(true)}>
              {texts().builder.form.more(simple.length)}
            </Button>
          )}
          {complex.map((name) => (
            <Button
              key={name}
              size="compact-sm"
              variant={at === '' ? 'light' : 'subtle'}
              onClick={() => {
                set(placeOf(at, name), blankOf(properties[name] ?? {}))
                goTo(placeOf(at, name))
              }}
            >
              {texts().builder.form.add(labelOf(name, properties[name] ?? {}))}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  )
}

const placeOf = (at: string, name: string): string => at + pointerOf([name])
