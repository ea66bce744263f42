import { Button, Group, NavLink, Stack, Text, UnstyledButton } from '@mantine/core'
import { useCallback, useId, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { listAt } from '../core/document.ts'
import { hasStages, statesIn } from '../core/parts.ts'
import { ProblemBadge } from '../problems/problem-marks.tsx'
import { keysOf, type Selection, sectionsIn } from '../sections.ts'
import { titleOfSelection } from '../titles.ts'
import { StageGroup } from './stage-group.tsx'
import { type OutlineTools, StateList } from './state-list.tsx'

type OutlineProps = Omit<OutlineTools, 'dragged' | 'onDrag'>

/** The study at a glance: its states in order, in their stages if it has any, and its settings. */
export function Outline({ onSelect: choose, ...given }: OutlineProps) {
  const { document, selection } = given
  const [dragged, setDragged] = useState<string>()
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
  const tools: OutlineTools = { ...given, onSelect, dragged, onDrag: setDragged }
  const text = texts().builder
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
          {titleOfSelection(document, selection)}
        </Text>
      </UnstyledButton>
      <div id={contentId} className="builder-outline-content" data-open={isOpen}>
        <Flow tools={tools} onLeave={() => setOpen(false)} />
        <Text size="xs" fw={600} c="dimmed" mt="md" mb={4}>
          {text.outline.study}
        </Text>
        <SectionLinks {...tools} />
      </div>
    </nav>
  )
}

/** States in order, and how to add to them. */
function Flow({ tools, onLeave }: { tools: OutlineTools; onLeave: () => void }) {
  const { document, actions, isReadOnly } = tools
  const text = texts().builder
  const isStaged = hasStages(document)
  const stages = listAt(document, ['stages'])
  const states = text.outline.states(statesIn(document).length)
  const add = () => {
    onLeave()
    if (isStaged) actions.addStage(stages.length)
    else actions.add('/states', statesIn(document).length)
  }
  const divide = () => {
    onLeave()
    actions.divide()
  }
  return (
    <>
      <Group justify="space-between" mb={4}>
        <Text size="xs" fw={600} c="dimmed">
          {isStaged ? text.stages.count(stages.length, states) : states}
        </Text>
        {!isReadOnly && (
          <Button size="compact-xs" variant="light" onClick={add}>
            {isStaged ? text.stages.add : text.states.add}
          </Button>
        )}
      </Group>
      {isStaged ? (
        <Stack component="ol" gap="xs" p={0} m={0} aria-label={text.stages.list} className="builder-stages">
          {stages.map((stage, at) => (
            <StageGroup key={at} stage={stage} at={at} count={stages.length} {...tools} />
          ))}
        </Stack>
      ) : (
        <>
          <StateList {...tools} list="/states" />
          {!isReadOnly && (
            <Button size="compact-xs" variant="subtle" mt={4} title={text.stages.divideHint} onClick={divide}>
              {text.stages.divide}
            </Button>
          )}
        </>
      )}
    </>
  )
}

function SectionLinks({ document, selection, onSelect, problems }: OutlineTools) {
  return sectionsIn(document).map((id) => {
    const findings = [
      ...keysOf(id, document).flatMap((key) => problems.within(`/${key}`)),
      ...(id === 'basics' ? problems.at('') : []),
    ]
    const isSelected = selection.kind === 'section' && selection.id === id
    return (
      <NavLink
        key={id}
        component="button"
        type="button"
        py={4}
        label={texts().builder.sections[id].title}
        active={isSelected}
        aria-current={isSelected}
        rightSection={<ProblemBadge findings={findings} />}
        onClick={() => onSelect({ kind: 'section', id })}
      />
    )
  })
}
