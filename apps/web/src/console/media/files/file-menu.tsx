import { type MediaRecord, mediaNamePrefix } from '@atrium/contract'
import { ActionIcon, Menu } from '@mantine/core'
import type { Ref } from 'react'
import { texts } from '../../../text/console.ts'
import { DotsIcon } from '../../shell/icons.tsx'
import { useMayAdminister } from '../administering.ts'
import { CopyItem } from '../copy-item.tsx'
import { DeletionItem, objectionToDeleting } from '../deletion-item.tsx'

export type FileAction = 'rename' | 'delete'

interface FileMenuProps {
  file: MediaRecord
  /** The button that opens it. */
  ref: Ref<HTMLButtonElement>
  onAction: (action: FileAction) => void
}

/** What can be done with a picture or a sound. */
export function FileMenu({ file, ref, onAction }: FileMenuProps) {
  const { media, mediaFiles } = texts()
  const mayAdminister = useMayAdminister()
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <ActionIcon ref={ref} variant="default" size={30} aria-label={media.actions.more(file.name)}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <CopyItem value={file.mediaId} label={mediaFiles.copyId} />
        {/* A name means a file of one's own, or what a study calls so already. */}
        {file.isOwn && <CopyItem value={mediaNamePrefix + file.name} label={mediaFiles.copyAddress} />}
        {(file.isOwn || mayAdminister) && (
          <Menu.Item onClick={() => onAction('rename')}>{mediaFiles.rename.action}</Menu.Item>
        )}
        <Menu.Divider />
        <DeletionItem
          label={media.actions.delete}
          objection={objectionToDeleting(file, mayAdminister)}
          onDelete={() => onAction('delete')}
        />
      </Menu.Dropdown>
    </Menu>
  )
}
