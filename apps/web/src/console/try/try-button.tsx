import { Button, CloseButton, Group, Modal, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { texts } from '../../text/console.ts'
import { asDefinition } from '../builder/draft-queries.ts'
import { PageSkeleton } from '../feedback/loaded.tsx'

const TryStage = lazy(() => import('./try-stage.tsx'))

interface TryButtonProps {
  experimentId: string
  document: unknown
  /** Whether the platform has found nothing wrong with it. */
  isValid: boolean
}

/** Opens above the builder, which keeps what is being written. */
export function TryButton({ experimentId, document, isValid }: TryButtonProps) {
  const text = texts().tryIt
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" disabled={!isValid} title={isValid ? undefined : text.whyNot} onClick={open}>
        {text.open}
      </Button>
      <Modal.Root opened={isOpen} onClose={close} fullScreen>
        <Modal.Content aria-label={text.title}>
          <Modal.Body pt="md">
            {/* Not Mantine’s header: it would be a second banner on the page. */}
            <Group justify="space-between" wrap="nowrap">
              <Title order={1} size="h3">
                {text.title}
              </Title>
              <CloseButton aria-label={texts().feedback.close} onClick={close} />
            </Group>
            <Suspense fallback={<PageSkeleton />}>
              <TryStage experimentId={experimentId} definition={asDefinition(document)} />
            </Suspense>
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  )
}
