import type { Agent } from '@atrium/contract'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useRef, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { NothingHere } from '../../feedback/nothing-here.tsx'
import { PagedList } from '../../feedback/paged-list.tsx'
import { usePilots } from '../study/study-queries.ts'
import { PilotCard } from './pilot-card.tsx'
import { PilotDialog } from './pilot-dialog.tsx'

interface PilotsProps {
  experimentId: string
  /** Of the definition. */
  agents: readonly Agent[]
  /** Why this person cannot start one now. */
  objection: string | undefined
  onStarted: () => void
}

export function Pilots({ experimentId, agents, objection, onStarted }: PilotsProps) {
  const text = texts().pilots
  const pilots = usePilots(experimentId)
  const [dialog, setDialog] = useState({ ordinal: 0, isOpen: false })
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setDialog({ ...dialog, isOpen: false })
    opener.current?.focus({ preventScroll: true })
  }
  return (
    <section aria-labelledby="pilots">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="pilots">
          {text.title}
        </Title>
        <Button
          ref={opener}
          disabled={objection !== undefined}
          onClick={() => setDialog({ ordinal: dialog.ordinal + 1, isOpen: true })}
        >
          {text.start}
        </Button>
      </Group>
      <Stack gap="sm">
        <Text c="dimmed" maw={720}>
          {text.intro}
          {objection !== undefined && ` ${objection}`}
        </Text>
        <PagedList query={pilots} rowsOf={(page) => page.pilots}>
          {(rows) =>
            rows.length === 0 ? (
              <NothingHere title={text.none}>{text.noneMessage}</NothingHere>
            ) : (
              <Stack gap="sm">
                {rows.map((pilot) => (
                  <PilotCard key={pilot.pilotId} experimentId={experimentId} pilot={pilot} />
                ))}
              </Stack>
            )
          }
        </PagedList>
      </Stack>
      {dialog.ordinal > 0 && (
        <PilotDialog
          key={dialog.ordinal}
          experimentId={experimentId}
          agents={agents}
          isOpen={dialog.isOpen}
          onClose={close}
          onStarted={onStarted}
        />
      )}
    </section>
  )
}
