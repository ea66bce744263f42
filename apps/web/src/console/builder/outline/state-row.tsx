import type { DefinitionFinding } from '@atrium/contract'
import { Group, Text, UnstyledButton } from '@mantine/core'
import { type DragEvent, memo } from 'react'
import { texts } from '../../../text/console.ts'
import { DuplicateIcon } from '../../shell/icons.tsx'
import { isObject, listIn } from '../core/document.ts'
import { MarkButtons } from '../mark-buttons.tsx'
import { ProblemBadge } from '../problems/problem-marks.tsx'
import type { Selection } from '../sections.ts'
import { titleOfState } from '../titles.ts'
import type { OutlineActions } from '../use-outline-actions.ts'

interface StateRowProps {
  state: unknown
  /** JSON pointer of the list that it stands in. */
  list: string
  at: number
  /** Of the whole study. */
  isFirst: boolean
  isLast: boolean
  isSelected: boolean
  findings: readonly DefinitionFinding[]
  isReadOnly: boolean
  dragged: string | undefined
  onDrag: (place: string | undefined) => void
  onSelect: (selection: Selection) => void
  actions: OutlineActions
}

/** Drawn again only if it changes: there may be hundreds. */
export const StateRow = memo(function StateRow(props: StateRowProps) {
  const { state, list, at, isSelected, findings, isReadOnly, dragged, onDrag, onSelect, actions } = props
  const text = texts().builder.states
  const object = isObject(state) ? state : {}
  const roles = listIn(object.roles)
  const place = `${list}/${at}`
  const drop = (event: DragEvent) => {
    event.stopPropagation()
    if (dragged !== undefined) actions.move(dragged, list, at)
    onDrag(undefined)
  }
  return (
    <li
      className="builder-state"
      data-selected={isSelected}
      data-drop={
        dragged === undefined || dragged === place
          ? undefined
          : isBefore(dragged, list, at)
            ? 'below'
            : 'above'
      }
      draggable={!isReadOnly}
      onDragStart={() => onDrag(place)}
      onDragEnd={() => onDrag(undefined)}
      onDragOver={(event) => dragged !== undefined && event.preventDefault()}
      onDrop={drop}
    >
      <UnstyledButton
        className="builder-state-name"
        aria-current={isSelected}
        onClick={() => onSelect({ kind: 'state', at: place })}
      >
        <Group gap={6} wrap="nowrap" justify="space-between">
          <Text span size="sm" fw={isSelected ? 600 : 400} className="builder-ellipsis">
            <Text span size="xs" c="dimmed" className="figure">
              {at + 1}{' '}
            </Text>
            {titleOfState(state, at)}
          </Text>
          <Group gap={4} wrap="nowrap">
            {roles.length > 0 && (
              <Text span size="xs" c="dimmed" title={text.onlyFor(roles.join(', '))}>
                {roles.join(', ')}
              </Text>
            )}
            <ProblemBadge findings={findings} />
          </Group>
        </Group>
      </UnstyledButton>
      {isSelected && !isReadOnly && <RowActions {...props} />}
    </li>
  )
})

/** In the same list, so that what is dropped there comes below. */
const isBefore = (dragged: string, list: string, at: number): boolean =>
  dragged.startsWith(`${list}/`) && Number(dragged.slice(list.length + 1)) < at

function RowActions({ state, list, at, isFirst, isLast, actions }: StateRowProps) {
  const text = texts().builder.states
  const name = titleOfState(state, at)
  const place = `${list}/${at}`
  const buttons = [
    { mark: '↑', label: text.up(name), isOff: isFirst, run: () => actions.step(place, -1) },
    { mark: '↓', label: text.down(name), isOff: isLast, run: () => actions.step(place, 1) },
    { mark: '+', label: text.addAfter(name), isOff: false, run: () => actions.add(list, at + 1) },
    {
      mark: <DuplicateIcon />,
      label: text.duplicate(name),
      isOff: false,
      run: () => actions.duplicate(list, at),
    },
    { mark: '✕', label: text.remove(name), isOff: false, run: () => actions.remove(list, at) },
  ]
  return (
    <Group gap={2} wrap="nowrap" pl={4} pb={4}>
      <MarkButtons buttons={buttons} variant="subtle" color="gray" size="md" />
    </Group>
  )
}
