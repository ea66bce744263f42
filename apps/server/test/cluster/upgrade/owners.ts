import { pace } from '@atrium/testkit'
import { queryPostgres } from '../../stores/engines.ts'
import type { RollingCluster } from './rolling-cluster.ts'

/** The versions of the instances that have held a room, one entry for each time it moved. */
export type Owners = Map<string, string[]>

/** Watches who holds which room: the database remembers only the last one. */
export function watchOwners({ databaseUrl, releaseOf }: RollingCluster) {
  const owners: Owners = new Map()
  const epochs = new Map<string, number>()
  let isOver = false
  const look = async (): Promise<void> => {
    const rows = await queryPostgres(databaseUrl, 'select room_id, pod_id, epoch from rooms')
    for (const { room_id, pod_id, epoch } of rows) {
      const [roomId, version] = [String(room_id), releaseOf(String(pod_id))]
      if (version === undefined || epochs.get(roomId) === Number(epoch)) continue
      epochs.set(roomId, Number(epoch))
      owners.set(roomId, [...(owners.get(roomId) ?? []), version])
    }
  }
  const watching = (async () => {
    while (!isOver) {
      await look()
      await pace(100)
    }
  })()
  watching.catch(() => undefined) // `stop` rejects with it.
  return {
    async stop(): Promise<Owners> {
      isOver = true
      await watching
      await look()
      return owners
    },
  }
}

/** How many rooms went from an instance of one version to one of the other, or of the same. */
export const movesBetween = (owners: Owners, from: string, to: string): number =>
  [...owners.values()].filter((versions) =>
    versions.some((version, index) => version === to && versions[index - 1] === from),
  ).length
