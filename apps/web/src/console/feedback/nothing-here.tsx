import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** An empty list that says why it is empty and what to do about it. */
export function NothingHere({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) {
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
