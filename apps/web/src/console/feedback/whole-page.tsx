import { Center, Loader, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

/** A page of its own, for before the console is available. */
export function WholePage({ children }: { children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440}>
        <Stack>{children}</Stack>
      </Paper>
    </Center>
  )
}

export function WaitingPage({ text }: { text: string }) {
  return (
    <Center component="main" mih="100dvh">
      <Stack align="center" role="status">
        <Loader />
        <Text c="dimmed">{text}</Text>
      </Stack>
    </Center>
  )
}

export function FailurePage({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack maw={520} w="100%">
        <Failure error={error} onRetry={onRetry} />
      </Stack>
    </Center>
  )
}
