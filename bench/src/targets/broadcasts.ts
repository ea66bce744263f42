// What the two servers of the broadcast benchmark share: everything except how a room's sockets are reached.

import type { IncomingMessage, RequestListener } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { RoomEvent } from '@atrium/contract'

/** A message as the room engine emits it. */
const eventOf = (seq: number): RoomEvent => ({
  type: 'message',
  message: {
    messageId: `m${seq}`,
    from: 'P2',
    componentId: 'chat',
    text: 'would you give up two points now if everyone else does the same in the next round',
    at: 1_750_000_000_000 + seq,
  },
  seq,
  at: 1_750_000_000_000 + seq,
})

const tickMs = 5

export const broadcastRoom = (index: number): string => `room-${index}`

/** `POST /?rooms=50&perSecond=2000&count=10000` broadcasts to the rooms in turn at that rate, then responds. */
export function handleBroadcasts(broadcast: (roomId: string, event: RoomEvent) => void): RequestListener {
  return async (request, response) => {
    const { rooms, perSecond, count } = numbersOf(request)
    const startedAt = performance.now()
    for (let sent = 0; sent < count; await delay(tickMs)) {
      const due = Math.min(count, ((performance.now() - startedAt) / 1000) * perSecond)
      for (; sent < due; sent++) broadcast(broadcastRoom(sent % rooms), eventOf(sent))
    }
    response.end()
  }
}

function numbersOf({ url }: IncomingMessage) {
  const { searchParams } = new URL(url ?? '', 'http://localhost')
  const numberOf = (name: string) => Number(searchParams.get(name))
  return { rooms: numberOf('rooms'), perSecond: numberOf('perSecond'), count: numberOf('count') }
}
