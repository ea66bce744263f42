import type { VideoRecord } from '@atrium/contract'
import { ActionIcon, Menu } from '@mantine/core'
import type { Ref } from 'react'
import { texts } from '../../text/console.ts'
import { DotsIcon } from '../shell/icons.tsx'
import { useMayAdminister } from './administering.ts'
import { CopyItem } from './copy-item.tsx'
import { DeletionItem, objectionToDeleting } from './deletion-item.tsx'
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
            <CopyItem value={video.videoId} label={text.actions.copyId} />
            {mayAdminister && <Menu.Item onClick={() => onAction('retry')}>{text.actions.retry}</Menu.Item>}
            <Menu.Divider />
          </>
        )}
        <DeletionItem
          label={isUnfinished ? text.actions.discard : text.actions.delete}
          objection={objectionToDeleting(video, mayAdminister)}
          onDelete={() => onAction('delete')}
        />
      </Menu.Dropdown>
    </Menu>
  )
}
