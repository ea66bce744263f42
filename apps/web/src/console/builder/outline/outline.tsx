import { Button, Group, NavLink, Stack, Text, UnstyledButton } from '@mantine/core'
import { useCallback, useId, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { listAt } from '../core/document.ts'
import type { ProblemIndex } from '../problems/problem-index.ts'
import { ProblemBadge } from '../problems/problem-marks.tsx'
import { isSame, type Selection, sections } from '../sections.ts'
import { titleOfState } from '../titles.ts'
import type { StateActions } from '../use-state-actions.ts'
import { StateRow } from './state-row.tsx'

interface OutlineProps {
  document: unknown
  selection: Selection
  onSelect: (selection: Selection) => void
  problems: ProblemIndex
  actions: StateActions
  isReadOnly: boolean
}

/** The study at a glance: its states in order, and its settings. */
export function Outline({
  document,
  selection,
  onSelect: choose,
  problems,
  actions,
  isReadOnly,
}: OutlineProps) {
  const text = texts().builder
  const states = listAt(document, ['states'])
  const [dragged, setDragged] = useState<number>()
  // Only phones fold it: there, the form would otherwise be a screen further down.
  const [isOpen, setOpen] = useState(false)
  const contentId = useId()
  const onSelect = useCallback(
    (next: Selection) => {
      setOpen(false)
      choose(next)
    },
    [choose],
  )
  return (
    <nav aria-label={text.outline.label} className="builder-outline">
      <UnstyledButton
        className="builder-outline-fold"
        aria-expanded={isOpen}
        aria-controls={contentId}
        onClick={() => setOpen(!isOpen)}
      >
        <Text span size="sm" fw={600}>
          <span aria-hidden className="builder-chevron">
            {isOpen ? '▾' : '▸'}{' '}
          </span>
          {text.outline.show}
        </Text>{' '}
        <Text span size="sm" c="dimmed" className="builder-ellipsis">
          {selection.kind === 'state'
            ? titleOfState(states[selection.at], selection.at)
            : text.sections[selection.id].title}
        </Text>
      </UnstyledButton>
      <div id={contentId} className="builder-outline-content" data-open={isOpen}>
        <Group justify="space-between" mb={4}>
          <Text size="xs" fw={600} c="dimmed">
            {text.outline.states(states.length)}
          </Text>
          {!isReadOnly && (
            <Button
              size="compact-xs"
              variant="light"
              onClick={() => {
                setOpen(false)
                actions.add(states.length)
              }}
            >
              {text.states.add}
            </Button>
          )}
        </Group>
        <Stack component="ol" gap={0} p={0} m={0} className="builder-states">
          {states.map((state, at) => (
            <StateRow
              key={at}
              state={state}
              at={at}
              count={states.length}
              isSelected={selection.kind === 'state' && selection.at === at}
              findings={problems.within(`/states/${at}`)}
              isReadOnly={isReadOnly}
              dragged={dragged}
              onDrag={setDragged}
              onSelect={onSelect}
              actions={actions}
            />
          ))}
        </Stack>
        <Text size="xs" fw={600} c="dimmed" mt="md" mb={4}>
          {text.outline.study}
        </Text>
        {sections.map(({ id, keys }) => {
          const here: Selection = { kind: 'section', id }
          const findings = [
            ...keys.flatMap((key) => problems.within(`/${key}`)),
            ...(id === 'basics' ? problems.at('') : []),
          ]
          return (
            <NavLink
              key={id}
              component="button"
              type="button"
              py={4}
              label={text.sections[id].title}
              active={isSame(selection, here)}
              aria-current={isSame(selection, here)}
              rightSection={<ProblemBadge findings={findings} />}
              onClick={() => onSelect(here)}
            />
          )
        })}
      </div>
    </nav>
  )
}
