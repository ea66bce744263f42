import type { DefinitionFinding } from '@atrium/contract'
import { Group, Text, UnstyledButton } from '@mantine/core'
import { memo } from 'react'
import { texts } from '../../../text/console.ts'
import { DuplicateIcon } from '../../shell/icons.tsx'
import { isObject, listIn } from '../core/document.ts'
import { MarkButtons } from '../mark-buttons.tsx'
import { ProblemBadge } from '../problems/problem-marks.tsx'
import type { Selection } from '../sections.ts'
import { titleOfState } from '../titles.ts'
import type { StateActions } from '../use-state-actions.ts'

interface StateRowProps {
  state: unknown
  at: number
  count: number
  isSelected: boolean
  findings: readonly DefinitionFinding[]
  isReadOnly: boolean
  dragged: number | undefined
  onDrag: (at: number | undefined) => void
  onSelect: (selection: Selection) => void
  actions: StateActions
}

/** Drawn again only if it changes: there may be hundreds. */
export const StateRow = memo(function StateRow(props: StateRowProps) {
  const { state, at, isSelected, findings, isReadOnly, dragged, onDrag, onSelect, actions } = props
  const text = texts().builder.states
  const object = isObject(state) ? state : {}
  const roles = listIn(object.roles)
  const drop = () => {
    if (dragged !== undefined) actions.move(dragged, at)
    onDrag(undefined)
  }
  return (
    <li
      className="builder-state"
      data-selected={isSelected}
      data-drop={dragged === undefined || dragged === at ? undefined : dragged < at ? 'below' : 'above'}
      draggable={!isReadOnly}
      onDragStart={() => onDrag(at)}
      onDragEnd={() => onDrag(undefined)}
      onDragOver={(event) => dragged !== undefined && event.preventDefault()}
      onDrop={drop}
    >
      <UnstyledButton
        className="builder-state-name"
        aria-current={isSelected}
        onClick={() => onSelect({ kind: 'state', at })}
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

function RowActions({ state, at, count, actions }: StateRowProps) {
  const text = texts().builder.states
  const name = titleOfState(state, at)
  const buttons = [
    { mark: '↑', label: text.up(name), isOff: at === 0, run: () => actions.move(at, at - 1) },
    { mark: '↓', label: text.down(name), isOff: at === count - 1, run: () => actions.move(at, at + 1) },
    { mark: '+', label: text.addAfter(name), isOff: false, run: () => actions.add(at + 1) },
    { mark: <DuplicateIcon />, label: text.duplicate(name), isOff: false, run: () => actions.duplicate(at) },
    { mark: '✕', label: text.remove(name), isOff: false, run: () => actions.remove(at) },
  ]
  return (
    <Group gap={2} wrap="nowrap" pl={4} pb={4}>
      <MarkButtons buttons={buttons} variant="subtle" color="gray" size="md" />
    </Group>
  )
}
