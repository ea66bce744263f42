import type { VideoRecord } from '@atrium/contract'
import { ActionIcon, CopyButton, Menu, Text } from '@mantine/core'
import type { Ref } from 'react'
import { texts } from '../../text/console.ts'
import { DotsIcon } from '../shell/icons.tsx'
import { useMayAdminister } from './administering.ts'
import { phaseOf } from './video-phase.ts'

export type VideoAction = 'play' | 'use' | 'retry' | 'delete'

interface VideoMenuProps {
  video: VideoRecord
  /** The button that opens it. */
  ref: Ref<HTMLButtonElement>
  onAction: (action: VideoAction) => void
}

/** The rarer things to do with a video. What is not possible is shown with its reason. */
export function VideoMenu({ video, ref, onAction }: VideoMenuProps) {
  const text = texts().media
  const mayAdminister = useMayAdminister()
  const { kind } = phaseOf(video)
  const isUnfinished = kind === 'unfinished'
  const objection = objectionToDeleting(video, mayAdminister)
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <ActionIcon ref={ref} variant="default" size={30} aria-label={text.actions.more(video.filename)}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isUnfinished && (
          <>
            {kind === 'ready' && <Menu.Item onClick={() => onAction('use')}>{text.actions.use}</Menu.Item>}
            <CopyButton value={video.videoId} timeout={2_000}>
              {({ copied, copy }) => (
                <Menu.Item closeMenuOnClick={false} onClick={copy} aria-live="polite">
                  {copied ? text.actions.copied : text.actions.copyId}
                </Menu.Item>
              )}
            </CopyButton>
            {mayAdminister && <Menu.Item onClick={() => onAction('retry')}>{text.actions.retry}</Menu.Item>}
            <Menu.Divider />
          </>
        )}
        {objection === undefined ? (
          <Menu.Item color="red" onClick={() => onAction('delete')}>
            {isUnfinished ? text.actions.discard : text.actions.delete}
          </Menu.Item>
        ) : (
          // Not `disabled`: the keyboard must reach it, or its reason would go unheard.
          <Menu.Item aria-disabled closeMenuOnClick={false} c="dimmed">
            {text.actions.delete}
            <Text size="xs">{objection}</Text>
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function objectionToDeleting(video: VideoRecord, mayAdminister: boolean): string | undefined {
  const { inUse, notYours } = texts().media
  if (!video.isOwn && !mayAdminister) return notYours
  return video.usedBy.length > 0 ? inUse : undefined
}
