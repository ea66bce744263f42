import { Stack } from '@mantine/core'
import { listAt, pathOf } from '../core/document.ts'
import type { ProblemIndex } from '../problems/problem-index.ts'
import type { Selection } from '../sections.ts'
import type { OutlineActions } from '../use-outline-actions.ts'
import { StateRow } from './state-row.tsx'

export interface OutlineTools {
  document: unknown
  selection: Selection
  onSelect: (selection: Selection) => void
  problems: ProblemIndex
  actions: OutlineActions
  isReadOnly: boolean
  /** JSON pointer of the state that is being dragged. */
  dragged: string | undefined
  onDrag: (place: string | undefined) => void
}

interface StateListProps extends OutlineTools {
  /** JSON pointer of the list. */
  list: string
  label?: string
  /** Whether there are states before and after, in other stages. */
  isFirst?: boolean
  isLast?: boolean
}

export function StateList({ list, label, isFirst = true, isLast = true, ...tools }: StateListProps) {
  const { document, selection, problems, onSelect, actions, isReadOnly, dragged, onDrag } = tools
  const states = listAt(document, pathOf(document, list))
  return (
    <Stack component="ol" gap={0} p={0} m={0} aria-label={label} className="builder-states">
      {states.map((state, at) => (
        <StateRow
          key={at}
          state={state}
          list={list}
          at={at}
          isFirst={isFirst && at === 0}
          isLast={isLast && at === states.length - 1}
          isSelected={selection.kind === 'state' && selection.at === `${list}/${at}`}
          findings={problems.within(`${list}/${at}`)}
          isReadOnly={isReadOnly}
          dragged={dragged}
          onDrag={onDrag}
          onSelect={onSelect}
          actions={actions}
        />
      ))}
    </Stack>
  )
}
