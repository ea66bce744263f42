import { ConfigError } from '@atrium/program'
import type { Operations } from '../modules/operations/index.ts'
import { createOwnership } from '../modules/ownership/index.ts'
import type { Rooms } from '../modules/rooms/index.ts'
import type { Ports } from './ports.ts'

interface OwnershipPeers {
  rooms: Rooms
  operations: Operations
}

/** Which instance has which room. */
export function openOwnership(ports: Ports, { rooms, operations }: OwnershipPeers) {
  const { config, database, pods, bus, clock, onBackgroundError } = ports
  const ownership = createOwnership({
    directory: pods,
    store: database.rooms,
    isAlone: !config.horizontalScaling,
    isDirectoryShared: Boolean(config.redisUrl),
    capacity: config.pod.capacity,
    bus,
    rooms,
    clock,
    podId: config.pod.id,
    onBackgroundError,
  })
  const { reportSoon } = operations
  rooms.listen({ taken: async () => reportSoon(), ended: reportSoon, rested: reportSoon, lost: reportSoon })
  return {
    ownership,
    stopTaking: ownership.stopTaking,
    drain: ownership.drain,
    release: ownership.release,
    async register(address: string): Promise<void> {
      const conflict = await ownership.register(address)
      if (conflict !== undefined) throw new ConfigError(conflict)
    },
  }
}
