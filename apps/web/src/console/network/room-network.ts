import type { SeatReport } from '@atrium/contract'
import type { NetworkPictureProps } from './network-picture.tsx'

export interface SeatInNetwork {
  alias: string
  neighbours: readonly string[]
}

/** Who is joined with whom in a room now; undefined where there is no network. Those whose seat somebody took over are not in it. */
export function networkIn(
  seats: readonly SeatReport[],
): (NetworkPictureProps & { list: readonly SeatInNetwork[] }) | undefined {
  const joined = seats.flatMap((seat) => (seat.neighbours ? [{ ...seat, neighbours: seat.neighbours }] : []))
  if (joined.length === 0) return undefined
  const places = new Map(joined.map(({ alias }, index) => [alias, index]))
  return {
    nodes: joined.map(({ alias, presence, agent }) => ({
      label: alias,
      isAway: presence === 'away' && agent === null,
    })),
    edges: joined.flatMap(({ neighbours }, one) =>
      neighbours.flatMap((alias): [number, number][] => {
        const other = places.get(alias)
        return other !== undefined && one < other ? [[one, other]] : []
      }),
    ),
    list: joined,
  }
}
