import { Group, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { texts } from '../../text/console.ts'

/** The heading of a page, also used as the title of the browser tab. */
export function PageTitle({ children, beside }: { children: string; beside?: ReactNode }) {
  useEffect(() => {
    document.title = texts().shell.pageTitle(children)
  }, [children])
  return (
    <Group justify="space-between" align="center" gap="sm">
      <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Title>
      {beside}
    </Group>
  )
}
