import { endOfExperiment } from '@atrium/contract'
import { Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../../../text/console.ts'
import { textIn, valueAt } from '../core/document.ts'
import { titleOfStage } from '../titles.ts'
import type { FlowTools } from './part-picture.tsx'

interface StageFrameProps extends Pick<FlowTools, 'selected' | 'hasProblems' | 'onSelect'> {
  stage: unknown
  at: number
  children: ReactNode
}

/** Around the states of a stage, with who plays it. */
export function StageFrame({ stage, at, selected, hasProblems, onSelect, children }: StageFrameProps) {
  const place = `/stages/${at}`
  return (
    <div className="builder-flow-stage" data-selected={selected === place} data-problem={hasProblems(place)}>
      <UnstyledButton
        className="builder-flow-stage-name"
        aria-current={selected === place}
        onClick={() => onSelect(place)}
      >
        <Text span size="sm" fw={600}>
          {titleOfStage(stage, at)}
        </Text>{' '}
        <Text span size="xs" c="dimmed">
          {whoPlays(stage).join(' · ')}
        </Text>
      </UnstyledButton>
      {children}
    </div>
  )
}

function whoPlays(stage: unknown): string[] {
  const { flow } = texts().builder
  const when = textIn(valueAt(stage, ['when']))
  const { min, max } = sizeOf(valueAt(stage, ['matching']))
  const target = textIn(valueAt(stage, ['matching', 'onDeadline', 'to']))
  return [
    max > 1 ? flow.together(min, max) : flow.alone,
    ...(when === undefined ? [] : [flow.ifTrue(when)]),
    ...(target === undefined ? [] : [flow.tooFew(target === endOfExperiment ? flow.end : target)]),
  ]
}

/** It may be unfinished. */
function sizeOf(matching: unknown): { min: number; max: number } {
  const size = valueAt(matching, ['groupSize'])
  const [min, max] = [valueAt(size, ['min']) ?? size, valueAt(size, ['max']) ?? size]
  return { min: typeof min === 'number' ? min : 1, max: typeof max === 'number' ? max : 1 }
}
