import { Alert, Button, Group, Text } from '@mantine/core'
import { CallFailed } from '../../api/call.ts'
import { texts } from '../../text/console.ts'

interface FailureProps {
  error: Error
  onRetry?: (() => unknown) | undefined
  title?: string
}

export function Failure({ error, onRetry, title = texts().feedback.notLoaded }: FailureProps) {
  const code = error instanceof CallFailed && error.code !== 'UNKNOWN' ? error.code : undefined
  return (
    <Alert color="red" title={title} role="alert">
      <Text size="sm">
        {error.message}
        {code && (
          <Text span c="dimmed" size="xs">
            {' '}
            ({code})
          </Text>
        )}
      </Text>
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={() => void onRetry()}>
            {texts().feedback.tryAgain}
          </Button>
        </Group>
      )}
    </Alert>
  )
}
