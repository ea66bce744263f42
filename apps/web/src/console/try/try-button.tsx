import { Button, Modal } from '@mantine/core'
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
      <Modal
        opened={isOpen}
        onClose={close}
        title={text.title}
        fullScreen
        closeButtonProps={{ 'aria-label': texts().feedback.close }}
      >
        <Suspense fallback={<PageSkeleton />}>
          <TryStage experimentId={experimentId} definition={asDefinition(document)} />
        </Suspense>
      </Modal>
    </>
  )
}
