import type { LiveExperiment } from '@atrium/contract'
import { Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { wholeSeconds } from './use-now.ts'

interface WaitingListProps {
  waiting: LiveExperiment['waiting']
  now: number
}

/** Who waits for a group, and for how long; the longest first. */
export function WaitingList({ waiting: { people, first }, now }: WaitingListProps) {
  const { live: text, format } = texts()
  return (
    <section aria-labelledby="live-waiting">
      <Title order={3} size="h5" mb={4} id="live-waiting">
        {text.waitingRoom}
      </Title>
      {first.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.nobodyWaits}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached with the keyboard
        <ul className="live-list" tabIndex={0} aria-labelledby="live-waiting">
          {first.map(({ participantId, role, since }) => (
            <li key={participantId}>
              <span className="live-id">{participantId}</span>
              <span className="figure live-quiet">
                {`${role} · ${text.waitsSince(format.duration(wholeSeconds(now - since)))}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {people > first.length && (
        <Text size="sm" c="dimmed">
          {text.moreWait(people - first.length)}
        </Text>
      )}
    </section>
  )
}
