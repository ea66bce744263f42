import { Stack, Text, TextInput, Title } from '@mantine/core'
import { type FocusEvent, useState } from 'react'
import { texts } from '../../text/console.ts'
import { ComponentList } from './component-list.tsx'
import { isObject, textIn, valueAt } from './core/document.ts'
import { useFormTools } from './form/form-tools.tsx'
import { ObjectFields } from './form/object-field.tsx'
import type { Schema } from './form/schema.ts'
import { stateSchema } from './state-schema.ts'
import { titleOfState } from './titles.ts'

interface StateFormProps {
  document: unknown
  at: number
}

const usual = ['name', 'instructions', 'end']

/** A state: what it says, what it shows, how it ends and what follows. */
export function StateForm({ document, at }: StateFormProps) {
  const state = valueAt(document, ['states', at])
  const { Field, nameState } = useFormTools()
  const place = `/states/${at}`
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
    const isNew = textIn(state.name) === texts().builder.states.newName
    if (!isNew && target.closest(`[data-at="${place}/name"]`)) nameState(place)
  }
  return (
    <Stack gap="sm" data-at={place}>
      <Title order={2} size="h4">
        {titleOfState(state, at)}
      </Title>
      <StateId at={place} value={textIn(state.id) ?? ''} />
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
        <ComponentList list={['states', at, 'components']} components={state.components} />
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

/** Applied when the field is left, with everything that refers to the state. */
function StateId({ at, value }: { at: string; value: string }) {
  const { findingsAt, renameState, isReadOnly } = useFormTools()
  const [typed, setTyped] = useState<string>()
  const text = texts().builder.states
  const keep = () => {
    if (typed !== undefined && typed !== '' && typed !== value) renameState(at, typed)
    setTyped(undefined)
  }
  const error = findingsAt(`${at}/id`)[0]?.message
  return (
    <TextInput
      data-at={`${at}/id`}
      label={text.id}
      description={text.idHint}
      value={typed ?? value}
      disabled={isReadOnly}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => event.key === 'Enter' && keep()}
      {...(error !== undefined && { error })}
      maw={280}
    />
  )
}
