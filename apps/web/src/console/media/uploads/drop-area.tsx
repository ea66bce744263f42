import { limits } from '@atrium/contract'
import { Group, Paper, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { UploadIcon } from '../../shell/icons.tsx'
import { acceptedFiles } from './chosen-files.ts'
import { FilePicker } from './file-picker.tsx'

/** Where files are chosen or dropped. A file that misses the area counts too, instead of replacing the page. */
export function DropArea({ onFiles }: { onFiles: (files: File[]) => void }) {
  const text = texts().mediaUploads
  const isDragging = useFileDrop(onFiles)
  return (
    <Paper withBorder p="md" className="drop-area" data-dragging={isDragging || undefined}>
      <Group justify="space-between" gap="sm">
        <div>
          <Text size="sm" fw={600} visibleFrom="sm">
            {isDragging ? text.drop : text.drag}
          </Text>
          <Text size="sm" c="dimmed">
            {text.limits(limits.videoBytes, limits.media.fileBytes)}
          </Text>
        </div>
        <FilePicker isMultiple accept={acceptedFiles} onFiles={onFiles} leftSection={<UploadIcon />}>
          {text.choose}
        </FilePicker>
      </Group>
    </Paper>
  )
}

/** Returns whether files are being dragged over the page. */
function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isDragging, setIsDragging] = useState(false)
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const onOver = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setIsDragging(true)
    }
    const onLeave = (event: DragEvent) => {
      // Leaving an element for another one inside the page has a target.
      if (event.relatedTarget === null) setIsDragging(false)
    }
    const onDrop = (event: DragEvent) => {
      setIsDragging(false)
      if (!holdsFiles(event)) return
      event.preventDefault()
      onFiles([...(event.dataTransfer?.files ?? [])])
    }
    const listeners = { dragover: onOver, dragleave: onLeave, drop: onDrop } as const
    for (const name of ['dragover', 'dragleave', 'drop'] as const) addEventListener(name, listeners[name])
    return () => {
      for (const name of ['dragover', 'dragleave', 'drop'] as const)
        removeEventListener(name, listeners[name])
    }
  }, [onFiles])
  return isDragging
}
