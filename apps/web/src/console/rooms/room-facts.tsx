import type { RoomReport } from '@atrium/contract'
import { Button, Code, Collapse, SimpleGrid, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { texts } from '../../text/console.ts'
import { Figure } from '../feedback/figure.tsx'

export function RoomFacts({ room, now }: { room: RoomReport; now: number }) {
  const { room: text, feedback, format } = texts()
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
          label={text.state}
          value={stateId ?? (pacing === 'participant' ? text.statePerPerson : feedback.none)}
          note={enteredAt === null ? '' : text.since(format.clock(enteredAt))}
        />
        <Figure
          label={text.deadline}
          value={isTicking ? text.inDuration(format.duration(Math.max(0, deadlineAt - now))) : feedback.none}
          note={
            isTicking
              ? text.atTime(format.clock(deadlineAt))
              : status === 'paused'
                ? text.clockStopped
                : text.noDeadline
          }
        />
        <Figure label={text.condition} value={condition ?? feedback.none} note={text.position(ordinal + 1)} />
        <Figure
          label={text.events}
          value={format.number(seq)}
          note={skippedActions ? text.skippedActions(skippedActions) : text.revision(revision)}
        />
      </SimpleGrid>
      <Button variant="subtle" size="compact-sm" mt="xs" onClick={toggle} aria-expanded={isOpen}>
        {isOpen ? text.hideVariables : text.showVariables}
      </Button>
      <Collapse expanded={isOpen}>
        <Text size="sm" mt="xs">
          {text.seed} <Code>{room.seed}</Code>
        </Text>
        <Code block mt="xs" tabIndex={0} aria-label={text.variables}>
          {JSON.stringify(room.variables, null, 2)}
        </Code>
      </Collapse>
    </div>
  )
}
