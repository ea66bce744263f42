import type { MediaRecord } from '@atrium/contract'
import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useRef } from 'react'
import { texts } from '../../../text/console.ts'
import { ExperimentUses } from '../../feedback/experiment-uses.tsx'
import { type FileAction, FileMenu } from './file-menu.tsx'
import { FilePreview } from './file-preview.tsx'

interface FileCardProps {
  file: MediaRecord
  /** The focus belongs on `opener` again once the dialog of the action is closed. */
  onAction: (action: FileAction, opener: HTMLElement | null) => void
}

/** A picture or a sound of the library: what it is, where it is used, and what can be done with it. */
export function FileCard({ file, onAction }: FileCardProps) {
  const { media, mediaFiles, format } = texts()
  const { name, kind, bytes, createdAt, usedBy, isOwn } = file
  const menuButton = useRef<HTMLButtonElement>(null)
  const facts = [
    mediaFiles.kinds[kind],
    format.bytes(bytes),
    media.uploaded(format.ago(Date.parse(createdAt), Date.now())),
  ]
  return (
    <Paper withBorder p="sm" component="article" aria-label={name} className="file-card">
      <FilePreview file={file} />
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <FileMenu file={file} ref={menuButton} onAction={(action) => onAction(action, menuButton.current)} />
      </Group>
      <Stack gap={4} align="flex-start">
        <Text size="sm" c="dimmed" className="figure">
          {facts.join(' · ')}
        </Text>
        {!isOwn && (
          <Badge color="accent" variant="filled" tt="none">
            {media.someoneElses}
          </Badge>
        )}
        <ExperimentUses usedBy={usedBy} />
      </Stack>
    </Paper>
  )
}
