import { Button, FileButton, Group, Menu, SegmentedControl } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { texts } from '../../text/console.ts'
import { MarkButtons } from './mark-buttons.tsx'

export type View = 'build' | 'flow' | 'code'
const views: readonly View[] = ['build', 'flow', 'code']

interface ToolbarProps {
  view: View
  onView: (view: View) => void
  isReadOnly: boolean
  canUndo: boolean
  canRedo: boolean
  onUndo: () => void
  onRedo: () => void
  tryButton: ReactNode
  canPublish: boolean
  whyNot: string | undefined
  isPublishing: boolean
  onPublish: () => void
  onExport: () => void
  onImport: (file: File) => void
  /** Undefined while there is no draft. */
  onDiscard: (() => void) | undefined
}

export function Toolbar(props: ToolbarProps) {
  const { view, onView, isReadOnly, canPublish, whyNot, isPublishing, onPublish } = props
  const text = texts().builder
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <SegmentedControl
          transitionDuration={0}
          aria-label={text.views.label}
          value={view}
          onChange={(next) => onView(views.find((each) => each === next) ?? 'build')}
          data={views.map((value) => ({ value, label: text.views[value] }))}
        />
        {!isReadOnly && <UndoButtons {...props} />}
      </Group>
      <Group gap="xs">
        <MoreMenu {...props} />
        {props.tryButton}
        {!isReadOnly && (
          <Button disabled={!canPublish} loading={isPublishing} onClick={onPublish} title={whyNot}>
            {text.publish}
          </Button>
        )}
      </Group>
    </Group>
  )
}

function UndoButtons({ canUndo, canRedo, onUndo, onRedo }: ToolbarProps) {
  const text = texts().builder
  const buttons = [
    { mark: '↶', label: text.undo, isOff: !canUndo, run: onUndo },
    { mark: '↷', label: text.redo, isOff: !canRedo, run: onRedo },
  ]
  return (
    <Group gap={4}>
      <MarkButtons buttons={buttons} variant="default" size="lg" />
    </Group>
  )
}

function MoreMenu({ isReadOnly, onExport, onImport, onDiscard }: ToolbarProps) {
  const text = texts().builder
  const reset = useRef<() => void>(null)
  const read = (file: File | null) => {
    if (file) onImport(file)
    reset.current?.()
  }
  return (
    <FileButton
      accept="application/json,.json"
      onChange={read}
      resetRef={reset}
      inputProps={{ 'aria-label': text.import }}
    >
      {({ onClick: chooseFile }) => (
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button variant="default">{text.more}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={onExport}>{text.export}</Menu.Item>
            {!isReadOnly && <Menu.Item onClick={chooseFile}>{text.import}</Menu.Item>}
            {onDiscard && (
              <Menu.Item color="red" onClick={onDiscard}>
                {text.discard}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
    </FileButton>
  )
}
