import type { LiveExperiment } from '@atrium/contract'
import { Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { formsGroups } from '../definition/forms-groups.ts'
import { useExperiment } from '../experiments/experiment-queries.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { Funnel } from './funnel.tsx'
import { LiveRooms } from './live-rooms.tsx'
import { useLive } from './use-live.ts'
import { useNow } from './use-now.ts'
import { WaitingList } from './waiting-list.tsx'
import { Words } from './words.tsx'
import './live.css'

/** Who is where right now. */
export function LivePanel({ experimentId }: { experimentId: string }) {
  const { query, isPushed } = useLive(experimentId)
  const text = texts().live
  return (
    <section aria-labelledby="live">
      <Group gap="sm" mb="sm">
        <Title order={2} size="h4" id="live">
          {text.title}
        </Title>
        {query.data && (
          <Text size="sm" c="dimmed" className="live-mark" data-pushed={isPushed}>
            {isPushed ? text.pushed : text.polled}
          </Text>
        )}
      </Group>
      <Loaded query={query} skeletonHeight={320}>
        {(data) => <Live experimentId={experimentId} live={data} />}
      </Loaded>
    </section>
  )
}

function Live({ experimentId, live }: { experimentId: string; live: LiveExperiment }) {
  const now = useNow(live.at)
  const definition = useExperiment(experimentId).data?.definition
  const isInGroups = (definition !== undefined && formsGroups(definition)) || live.waiting.people > 0
  const [chosenId, setChosenId] = useState<string | null>(null)
  const text = texts().live
  const chosen = live.rooms.find(({ roomId }) => roomId === chosenId)
  return (
    <Stack gap="lg">
      <Funnel live={live} asksConsent={definition?.consent !== undefined} formsGroups={isInGroups} />
      {live.joined === 0 ? (
        <Text c="dimmed">{text.nobody}</Text>
      ) : (
        <div className="live-columns">
          <LiveRooms experimentId={experimentId} live={live} now={now} onChoose={setChosenId} />
          <Stack gap="lg">
            {isInGroups && <WaitingList waiting={live.waiting} now={now} />}
            <Words
              experimentId={experimentId}
              live={live}
              now={now}
              chosen={chosenId === null ? null : { roomId: chosenId, position: chosen?.position ?? null }}
              onShowAll={() => setChosenId(null)}
            />
          </Stack>
        </div>
      )}
    </Stack>
  )
}
