import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CallFailed } from '../../api/call.ts'
import { texts } from '../../text/console.ts'

interface NothingHereProps {
  title: string
  children: ReactNode
  action?: ReactNode
}

/** An empty list that says why it is empty and what to do about it. */
export function NothingHere({ title, children, action }: NothingHereProps) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs" ta="center">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" maw={520}>
          {children}
        </Text>
        {action}
      </Stack>
    </Paper>
  )
}

/** The platform does not tell apart what does not exist and what this person may not see. */
export const isNotFound = (error: Error | null): boolean =>
  error instanceof CallFailed && error.status === 404

export function NotFound({ what }: { what: 'experiment' | 'room' }) {
  const { title, message, toExperiments } = texts().notFound
  const action = (
    <Button component={Link} href="/" mt="sm">
      {toExperiments}
    </Button>
  )
  return (
    <NothingHere title={title[what]} action={action}>
      {message}
    </NothingHere>
  )
}
