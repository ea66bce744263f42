import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface MarkButton {
  mark: ReactNode
  /** What it does: for screen readers, and under the pointer. */
  label: string
  isOff: boolean
  run: () => void
}

interface MarkButtonsProps extends Pick<ActionIconProps, 'variant' | 'color' | 'size'> {
  buttons: readonly MarkButton[]
}

/** Buttons with a mark instead of words. */
export const MarkButtons = ({ buttons, ...look }: MarkButtonsProps) =>
  buttons.map(({ mark, label, isOff, run }) => (
    <ActionIcon key={label} {...look} aria-label={label} title={label} disabled={isOff} onClick={run}>
      <span aria-hidden>{mark}</span>
    </ActionIcon>
  ))
