import { Stack, Text, Title } from '@mantine/core'
import type { FocusEvent } from 'react'
import { texts } from '../../text/console.ts'
import { ComponentList } from './component-list.tsx'
import { isObject, pathOf, textIn, valueAt } from './core/document.ts'
import { useFormTools } from './form/form-tools.tsx'
import { ObjectFields } from './form/object-field.tsx'
import type { Schema } from './form/schema.ts'
import { IdField } from './id-field.tsx'
import { stateSchema } from './state-schema.ts'
import { titleOfState } from './titles.ts'

interface StateFormProps {
  document: unknown
  /** JSON pointer of the state. */
  at: string
}

const usual = ['name', 'instructions', 'end']

/** A state: what it says, what it shows, how it ends and what follows. */
export function StateForm({ document, at: place }: StateFormProps) {
  const path = pathOf(document, place)
  const state = valueAt(document, path)
  const { Field, nameState } = useFormTools()
  const text = texts().builder.states
  if (!isObject(state))
    return state === undefined ? null : <Field schema={{}} at={place} name="state" value={state} isRequired />
  const { properties = {} } = stateSchema
  const some = (names: readonly string[]): Record<string, Schema> =>
    Object.fromEntries(names.map((name) => [name, properties[name] ?? {}]))
  const first = ['name', 'instructions']
  const later = Object.keys(properties).filter(
    (name) => !first.includes(name) && name !== 'id' && name !== 'components',
  )
  const nameIsLeft = ({ target }: FocusEvent) => {
    const isNew = textIn(state.name) === text.newName
    if (!isNew && target.closest(`[data-at="${place}/name"]`)) nameState(place)
  }
  return (
    <Stack gap="sm" data-at={place}>
      <Title order={2} size="h4">
        {titleOfState(state, Number(path.at(-1)))}
      </Title>
      <IdField at={place} value={textIn(state.id) ?? ''} label={text.id} description={text.idHint} />
      {/* Before the field itself, so that name and id are one step to undo. */}
      <div onBlurCapture={nameIsLeft}>
        <ObjectFields
          at={place}
          schema={{}}
          properties={some(first)}
          value={pick(state, first)}
          usual={usual}
          isPart
        />
      </div>
      <section aria-labelledby="state-components">
        <Text id="state-components" size="sm" fw={600} mb={4}>
          {texts().builder.components.title}
        </Text>
        <ComponentList list={[...path, 'components']} components={state.components} />
      </section>
      <ObjectFields
        at={place}
        schema={{}}
        properties={some(later)}
        value={without(state, ['id', 'components', ...first])}
        usual={usual}
      />
    </Stack>
  )
}

const pick = (state: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(state, name) ? [[name, state[name]]] : [])))
const without = (state: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(state).filter(([name]) => !names.includes(name)))
