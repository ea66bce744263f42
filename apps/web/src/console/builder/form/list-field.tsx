import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { DuplicateIcon } from '../../shell/icons.tsx'
import { isObject, listIn } from '../core/document.ts'
import { MarkButtons } from '../mark-buttons.tsx'
import { ProblemLines } from '../problems/problem-marks.tsx'
import { descriptionOf, withCode } from './description.tsx'
import { Fold } from './fold.tsx'
import { type FieldProps, useFormTools } from './form-tools.tsx'
import { blankOf, isSimple, kindOf, labelOf, memberOf, type Schema } from './schema.ts'

/** Longer lists are shown a part at a time. */
const shownAtOnce = 40

export function ListField(props: FieldProps & { items: Schema }) {
  const { schema, at, name, value, isRequired, items } = props
  const { isReadOnly, remove } = useFormTools()
  const list = listIn(value)
  const title = props.label ?? labelOf(name, schema)
  return (
    <Fold
      at={at}
      title={title}
      note={String(list.length)}
      isOpenAtFirst={isSimple(items) && list.length <= 10}
      actions={
        !isRequired &&
        !isReadOnly &&
        value !== undefined && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            onClick={() => remove(at)}
            aria-label={texts().builder.form.removeWhat(title)}
          >
            {texts().builder.form.remove}
          </Button>
        )
      }
    >
      {() => (
        <Stack gap="xs">
          <Text size="xs" c="dimmed">
            {withCode(descriptionOf(name, schema) ?? '')}
          </Text>
          <ProblemLines at={at} />
          <Items list={list} at={at} name={name} items={items} title={title} />
        </Stack>
      )}
    </Fold>
  )
}

interface ItemsProps {
  list: readonly unknown[]
  at: string
  name: string
  items: Schema
  title: string
}

function Items({ list, at, name, items, title }: ItemsProps) {
  const { isReadOnly, add } = useFormTools()
  const [max, setMax] = useState(shownAtOnce)
  const text = texts().builder.form
  return (
    <>
      {list.slice(0, max).map((item, index) => (
        <Item key={index} {...{ at, name, items, title, item, index }} count={list.length} />
      ))}
      {list.length > max && (
        <Button size="compact-sm" variant="default" onClick={() => setMax(max + shownAtOnce)}>
          {text.showMore(list.length - max)}
        </Button>
      )}
      {!isReadOnly && (
        <Group>
          <Button size="compact-sm" variant="light" onClick={() => add(at, blankOf(items))}>
            {text.addTo(title)}
          </Button>
        </Group>
      )}
    </>
  )
}

interface ItemProps extends Omit<ItemsProps, 'list'> {
  item: unknown
  index: number
  count: number
}

function Item({ at, name, items, title, item, index, count }: ItemProps) {
  const { Field, isReadOnly, set } = useFormTools()
  const place = `${at}/${index}`
  const label = texts().builder.form.item(title, index + 1)
  const actions = !isReadOnly && <ItemActions at={at} index={index} count={count} label={label} />
  const { schema, longForm } = shortFormOf(items, item)
  const field = <Field schema={schema} at={place} name={name} value={item} isRequired label={label} />
  if (!isSimple(schema))
    return (
      <Fold at={place} title={titleOf(item) ?? label} actions={actions}>
        {() => field}
      </Fold>
    )
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      <div style={{ flex: 1, minWidth: 0 }}>{field}</div>
      {longForm && !isReadOnly && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => set(place, inLongForm(longForm, item))}
          aria-label={texts().builder.form.moreOf(label)}
        >
          …
        </Button>
      )}
      {actions}
    </Group>
  )
}

/** An option that is just its text is edited as a text; its long form has more settings. */
function shortFormOf(items: Schema, item: unknown): { schema: Schema; longForm?: Schema } {
  const field = kindOf(items)
  if (field.kind !== 'union' || typeof item === 'object') return { schema: items }
  const member = field.members[memberOf(field.members, item) ?? -1]
  const longForm = field.members.find((each) => kindOf(each).kind === 'object')
  return member && longForm ? { schema: plain(member), longForm } : { schema: items }
}

/** The description of a short form says only that it is one. */
const plain = ({ description: _, ...schema }: Schema): Schema => schema

function inLongForm(longForm: Schema, item: unknown): unknown {
  const [first] = longForm.required ?? []
  return first === undefined ? blankOf(longForm) : { ...(blankOf(longForm) as object), [first]: item }
}

/** What an item is called, if it says so. */
function titleOf(item: unknown): string | undefined {
  if (typeof item === 'string' && item !== '') return item
  if (typeof item === 'number') return String(item)
  if (!isObject(item)) return undefined
  for (const name of ['name', 'label', 'text', 'id', 'to', 'attribute', 'value'])
    if (typeof item[name] === 'string' && item[name] !== '') return item[name]
  return undefined
}

interface ItemActionsProps {
  at: string
  index: number
  count: number
  label: string
}

export function ItemActions({ at, index, count, label }: ItemActionsProps) {
  const { move, remove, duplicate } = useFormTools()
  const text = texts().builder.form
  const actions = [
    { mark: '↑', label: text.up(label), isOff: index === 0, run: () => move(at, index, index - 1) },
    { mark: '↓', label: text.down(label), isOff: index === count - 1, run: () => move(at, index, index + 1) },
    { mark: <DuplicateIcon />, label: text.duplicate(label), isOff: false, run: () => duplicate(at, index) },
    { mark: '✕', label: text.removeWhat(label), isOff: false, run: () => remove(`${at}/${index}`) },
  ]
  return (
    <Group gap={2} wrap="nowrap">
      <MarkButtons buttons={actions} variant="subtle" color="gray" size="md" />
    </Group>
  )
}
