import type { SeatReport } from '@atrium/contract'
import { Group, List, ScrollArea, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { NetworkPicture } from './network-picture.tsx'
import { networkIn } from './room-network.ts'

/** RM257: who is joined with whom in a room, as a picture and as a list; nothing where there is no network. */
export function NetworkSection({ seats }: { seats: readonly SeatReport[] }) {
  const text = texts().network
  const found = networkIn(seats)
  if (!found) return null
  return (
    <section aria-labelledby="network">
      <Title order={2} size="h4" id="network" mb="sm">
        {text.title}
      </Title>
      <Group align="start" gap="lg">
        <div style={{ flex: '1 1 240px', maxWidth: 360 }}>
          <NetworkPicture nodes={found.nodes} edges={found.edges} />
        </div>
        <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0, 'aria-label': text.list }}>
          <List size="sm" listStyleType="none">
            {found.list.map(({ alias, neighbours }) => (
              <List.Item key={alias}>
                <Text span fw={600} size="sm">
                  {alias}
                </Text>{' '}
                {neighbours.length === 0 ? text.nobody : neighbours.join(', ')}
              </List.Item>
            ))}
          </List>
        </ScrollArea.Autosize>
      </Group>
      {found.edges.length === 0 && <Text c="dimmed">{text.empty}</Text>}
    </section>
  )
}
