import { type ExperimentDefinition, groupSizeOf, Network, roleIdsOf, seededRandom } from '@atrium/contract'
import { drawNetwork } from '@atrium/flow/network'
import { Text } from '@mantine/core'
import { Check } from 'typebox/schema'
import { texts } from '../../../text/console.ts'
import { NetworkPicture } from '../../network/network-picture.tsx'

/** More are a black disc, and take a moment to draw at each key. */
const mostSeats = 200

/** What the network that is being written may look like in a room; nothing while it is not one. */
export function NetworkPreview({ document }: { document: Record<string, unknown> }) {
  const text = texts().network
  const { network } = document
  if (!Check(Network, network)) return null
  const seats = seatsIn(document as unknown as ExperimentDefinition)
  if (seats === undefined) return <Text size="sm">{text.noGroup}</Text>
  if (seats.length > mostSeats) return <Text size="sm">{text.tooLarge(mostSeats)}</Text>
  const edges = drawNetwork(network, seats, seededRandom('preview'))
  return (
    <figure style={{ margin: 0, maxWidth: 360 }}>
      <NetworkPicture
        nodes={seats.map((_, index) => ({ label: texts().network.seat(index + 1) }))}
        edges={edges}
      />
      <figcaption>
        <Text size="sm" c="dimmed">
          {text.preview(seats.length, edges.length)}
        </Text>
      </figcaption>
    </figure>
  )
}

/** The role of each seat of the largest group, in turn; undefined while there is no group. What is being written may be anything. */
function seatsIn(definition: ExperimentDefinition): string[] | undefined {
  try {
    const roles = roleIdsOf(definition)
    const ofAgents = (definition.agents ?? []).reduce((sum, { seats = 0 }) => sum + seats, 0)
    const size = groupSizeOf(definition).max + ofAgents
    if (!Number.isInteger(size) || size < 2) return undefined
    return Array.from(
      { length: Math.min(size, mostSeats + 1) },
      (_, at) => roles[at % roles.length] ?? 'participant',
    )
  } catch {
    // A draft that cannot be read yet has no preview; the problems of the draft say why.
    return undefined
  }
}
