import type { RoomReport } from '@atrium/contract'
import { Button, Code, Collapse, SimpleGrid, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Figure } from '../feedback/figure.tsx'
import { formatNumber } from '../text/numbers.ts'
import { formatClock, formatDuration } from '../text/times.ts'

export function RoomFacts({ room, now }: { room: RoomReport; now: number }) {
  const [isOpen, { toggle }] = useDisclosure()
  const {
    stateId,
    enteredAt,
    deadlineAt,
    condition,
    revision,
    pacing,
    seq,
    ordinal,
    status,
    skippedActions,
  } = room
  const isTicking = deadlineAt !== null && status === 'running'
  return (
    <div>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <Figure
          label="State"
          value={stateId ?? (pacing === 'participant' ? 'each their own' : '–')}
          note={enteredAt === null ? '' : `since ${formatClock(enteredAt)}`}
        />
        <Figure
          label="Ends at the latest"
          value={isTicking ? `in ${formatDuration(Math.max(0, deadlineAt - now))}` : '–'}
          note={
            isTicking
              ? `at ${formatClock(deadlineAt)}`
              : status === 'paused'
                ? 'the clock stands still'
                : 'no deadline'
          }
        />
        <Figure
          label="Condition"
          value={condition ?? '–'}
          note={`room ${formatNumber(ordinal + 1)} of the experiment`}
        />
        <Figure
          label="Events of the room"
          value={formatNumber(seq)}
          note={
            skippedActions
              ? `${formatNumber(skippedActions)} actions no longer apply and were left out`
              : `revision ${formatNumber(revision)}`
          }
        />
      </SimpleGrid>
      <Button variant="subtle" size="compact-sm" mt="xs" onClick={toggle} aria-expanded={isOpen}>
        {isOpen ? 'Hide variables and seed' : 'Show variables and seed'}
      </Button>
      <Collapse expanded={isOpen}>
        <Text size="sm" mt="xs">
          Seed: <Code>{room.seed}</Code>
        </Text>
        <Code block mt="xs" tabIndex={0} aria-label="Variables of the room">
          {JSON.stringify(room.variables, null, 2)}
        </Code>
      </Collapse>
    </div>
  )
}
