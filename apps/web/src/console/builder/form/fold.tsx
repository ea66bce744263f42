import { Group, Text, UnstyledButton } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { isWithin } from '../core/document.ts'
import { ProblemBadge } from '../problems/problem-marks.tsx'
import { type Target, useFormTools } from './form-tools.tsx'

interface FoldProps {
  at: string
  title: ReactNode
  note?: string | undefined
  /** Stand beside the title, whether or not it is open. */
  actions?: ReactNode
  isOpenAtFirst?: boolean
  children: () => ReactNode
}

/** A part that is drawn only once it is opened: definitions are deep, and nobody looks at all of one. */
export function Fold({ at, title, note, actions, isOpenAtFirst = false, children }: FoldProps) {
  const { target, findingsWithin } = useFormTools()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const [followed, setFollowed] = useState<Target>()
  const contentId = useId()
  if (target !== followed) {
    setFollowed(target)
    if (target !== undefined && isWithin(target.at, at)) setOpen(true)
  }
  return (
    <div className="builder-fold" data-at={at}>
      <Group gap="xs" wrap="nowrap" justify="space-between" align="center">
        <UnstyledButton
          className="builder-fold-title"
          aria-expanded={isOpen}
          aria-controls={contentId}
          onClick={() => setOpen(!isOpen)}
        >
          <Group gap={6} wrap="nowrap">
            <span aria-hidden className="builder-chevron">
              {isOpen ? '▾' : '▸'}
            </span>
            <Text span size="sm" fw={600} className="builder-ellipsis builder-fold-name">
              {title}
            </Text>
            {note !== undefined && (
              <Text span size="xs" c="dimmed" className="builder-ellipsis">
                {note}
              </Text>
            )}
            <ProblemBadge findings={findingsWithin(at)} />
          </Group>
        </UnstyledButton>
        {actions}
      </Group>
      <div id={contentId} className="builder-fold-content" hidden={!isOpen}>
        {isOpen && children()}
      </div>
    </div>
  )
}
