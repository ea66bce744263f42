import type { VideoRecord } from '@atrium/contract'
import { Anchor, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'
import { Dialog } from '../feedback/dialog.tsx'
import { limitFor, snippetFor } from './snippet.ts'

interface UseDialogProps {
  video: VideoRecord
  isOpen: boolean
  onClose: () => void
}

/** Shows how a study names the video. */
export function UseDialog({ video, isOpen, onClose }: UseDialogProps) {
  const text = texts().media.use
  const snippet = snippetFor(video)
  return (
    <Dialog isOpen={isOpen} title={text.title} onClose={onClose} centered size="lg">
      <Stack>
        <Text style={{ overflowWrap: 'anywhere' }}>{text.intro(video.filename)}</Text>
        {/* A scrolling region must be reachable by keyboard. */}
        <Code block tabIndex={0} role="region" aria-label={text.snippet}>
          {snippet}
        </Code>
        <Text size="sm" c="dimmed">
          {text.inStep}
        </Text>
        {limitFor(video) !== undefined && (
          <Text size="sm" c="dimmed">
            {text.limit}
          </Text>
        )}
        <Group justify="space-between">
          <Anchor component={Link} href="/new" size="sm">
            {text.newExperiment}
          </Anchor>
          <CopyButton value={snippet} timeout={2_000}>
            {({ copied, copy }) => (
              <Button onClick={copy} data-autofocus>
                {copied ? text.copied : text.copy}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
