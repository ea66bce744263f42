import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { listAt } from '../core/document.ts'
import { MarkButtons } from '../mark-buttons.tsx'
import { ProblemBadge } from '../problems/problem-marks.tsx'
import { titleOfStage } from '../titles.ts'
import { type OutlineTools, StateList } from './state-list.tsx'

interface StageGroupProps extends OutlineTools {
  stage: unknown
  at: number
  count: number
}

/** A stage with its states. */
export function StageGroup({ stage, at, count, ...tools }: StageGroupProps) {
  const { document, selection, onSelect, problems, actions, isReadOnly, dragged, onDrag } = tools
  const text = texts().builder.stages
  const title = titleOfStage(stage, at)
  const list = `/stages/${at}/states`
  const length = listAt(document, ['stages', at, 'states']).length
  const isSelected = selection.kind === 'stage' && selection.at === at
  // Those of its states stand beside them.
  const findings = problems.within(`/stages/${at}`).filter(({ path }) => !path.startsWith(`${list}/`))
  const drop = () => {
    if (dragged !== undefined)
      actions.move(dragged, list, dragged.startsWith(`${list}/`) ? length - 1 : length)
    onDrag(undefined)
  }
  return (
    // A state that is dropped beside the others becomes the last of the stage.
    <li
      className="builder-stage"
      onDragOver={(event) => dragged !== undefined && event.preventDefault()}
      onDrop={drop}
    >
      <div
        className="builder-state"
        data-selected={isSelected}
        data-drop={dragged === undefined ? undefined : 'below'}
      >
        <UnstyledButton
          className="builder-state-name"
          aria-current={isSelected}
          onClick={() => onSelect({ kind: 'stage', at })}
        >
          <Group gap={6} wrap="nowrap" justify="space-between">
            <Text span size="sm" fw={600} className="builder-ellipsis">
              <Text span size="xs" c="dimmed" fw={400}>
                {text.numbered(at + 1)}{' '}
              </Text>
              {title}
            </Text>
            <ProblemBadge findings={findings} />
          </Group>
        </UnstyledButton>
        {isSelected && !isReadOnly && <StageActions title={title} at={at} count={count} actions={actions} />}
      </div>
      <StateList
        {...tools}
        list={list}
        label={text.statesOf(title)}
        isFirst={at === 0}
        isLast={at === count - 1}
      />
      {!isReadOnly && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={text.addStateTo(title)}
          onClick={() => actions.add(list, length)}
        >
          {texts().builder.states.add}
        </Button>
      )}
    </li>
  )
}

interface StageActionsProps extends Pick<OutlineTools, 'actions'> {
  title: string
  at: number
  count: number
}

function StageActions({ title, at, count, actions }: StageActionsProps) {
  const { states: text, stages } = texts().builder
  const buttons = [
    { mark: '↑', label: text.up(title), isOff: at === 0, run: () => actions.moveStage(at, at - 1) },
    { mark: '↓', label: text.down(title), isOff: at === count - 1, run: () => actions.moveStage(at, at + 1) },
    { mark: '+', label: stages.addAfter(title), isOff: false, run: () => actions.addStage(at + 1) },
    { mark: '✕', label: stages.remove(title), isOff: count === 1, run: () => actions.removeStage(at) },
  ]
  return (
    <Group gap={2} wrap="nowrap" pl={4} pb={4}>
      <MarkButtons buttons={buttons} variant="subtle" color="gray" size="md" />
    </Group>
  )
}
