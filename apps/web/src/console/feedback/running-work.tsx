import { Group, Progress, Text } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useState } from 'react'
import { texts } from '../../text/console.ts'

interface RunningWorkProps {
  startedAt: number
  status: string
  elapsed: (duration: string) => string
  /** What the bar is called. */
  label: string
}

/** Work of which nobody knows how far it is: it reports when it is done. */
export function RunningWork({ startedAt, status, elapsed, label }: RunningWorkProps) {
  const [now, setNow] = useState(startedAt)
  useInterval(() => setNow(Date.now()), 1_000, { autoInvoke: true })
  const elapsedMs = Math.floor(Math.max(0, now - startedAt) / 1_000) * 1_000
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {status}
        </Text>
        <Text size="sm" c="dimmed" className="figure">
          {elapsed(texts().format.duration(elapsedMs))}
        </Text>
      </Group>
      <Progress value={100} animated aria-label={label} />
    </>
  )
}
