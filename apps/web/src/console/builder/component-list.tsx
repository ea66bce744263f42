import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { ComponentPicker } from './component-picker.tsx'
import { isObject, listIn, type Path, pointerOf, textIn } from './core/document.ts'
import { Fold } from './form/fold.tsx'
import { useFormTools } from './form/form-tools.tsx'
import { ItemActions } from './form/list-field.tsx'
import { ObjectFields } from './form/object-field.tsx'
import { schemaOfComponent } from './state-schema.ts'
import { titleOfComponent } from './titles.ts'

/** What a state shows, in order: each with its settings, and more to add. */
export function ComponentList({ list, components }: { list: Path; components: unknown }) {
  const { isReadOnly, addComponent } = useFormTools()
  const [isPicking, setPicking] = useState(false)
  const at = pointerOf(list)
  const items = listIn(components)
  const text = texts().builder.components
  return (
    <Stack gap="xs">
      {items.length === 0 && (
        <Text size="sm" c="dimmed">
          {text.none}
        </Text>
      )}
      {items.map((component, index) => (
        <ComponentItem
          key={index}
          at={at}
          index={index}
          count={items.length}
          component={component}
          isGlobal={list[0] === 'globalComponents'}
        />
      ))}
      {!isReadOnly && (
        <Group>
          <Button size="compact-md" variant="light" onClick={() => setPicking(true)}>
            {text.add}
          </Button>
        </Group>
      )}
      <ComponentPicker
        isOpen={isPicking}
        list={list}
        onClose={() => setPicking(false)}
        onPick={(type) => {
          setPicking(false)
          addComponent(at, type)
        }}
      />
    </Stack>
  )
}

interface ComponentItemProps {
  at: string
  index: number
  count: number
  component: unknown
  isGlobal: boolean
}

const usual = ['label', 'text', 'src', 'mediaId', 'videoId', 'required', 'saveTo', 'when', 'forEach']

function ComponentItem({ at, index, count, component, isGlobal }: ComponentItemProps) {
  const { Field, isReadOnly } = useFormTools()
  const place = `${at}/${index}`
  const { title, note } = titleOfComponent(component)
  const label = texts().builder.components.called(title, index + 1)
  return (
    <Fold
      at={place}
      title={title}
      note={note}
      actions={!isReadOnly && <ItemActions at={at} index={index} count={count} label={label} />}
    >
      {() => {
        const type = isObject(component) ? textIn(component.type) : undefined
        if (!isObject(component) || type === undefined)
          return <Field schema={{}} at={place} name="component" value={component} isRequired />
        const schema = schemaOfComponent(type, isGlobal)
        return (
          <ObjectFields
            at={place}
            schema={schema}
            properties={schema.properties ?? {}}
            value={component}
            usual={usual.filter((name) => schema.properties?.[name] !== undefined)}
            except={['type']}
          />
        )
      }}
    </Fold>
  )
}
