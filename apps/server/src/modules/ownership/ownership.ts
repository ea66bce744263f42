import { setTimeout as delay } from 'node:timers/promises'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import type { RoomStore, Rooms } from '../rooms/index.ts'
import { createConfirmation } from './confirmation.ts'
import { createRegistration, leaseMs, type RegistrationDeps } from './registration.ts'
import { createSweep } from './sweep.ts'
import { createTakeOver } from './take-over.ts'

export interface OwnershipDeps extends Omit<RegistrationDeps, 'rooms' | 'onLeaseLost' | 'onLeaseRegained'> {
  rooms: Rooms
  store: RoomStore
  /** Configured as the only instance. */
  isAlone: boolean
  /** Instances that share the directory can take each other's rooms; a lease that lapses in process means nothing. */
  isDirectoryShared: boolean
}

export interface Ownership {
  load(): { rooms: number; participants: number }
  drain(): Promise<void>
  /** Others know of this instance from now on, at this address. Returns why it must not start, if so. */
  register(address: string): Promise<string | undefined>
  /** Takes no more rooms from others and keeps no more deadlines of resting rooms. */
  stopTaking(): void
  /** Lets others take the rooms of this instance. */
  release(): Promise<void>
}

/** What this instance owns, as the others see it: its lease, its rooms, and the rooms that it takes over. */
export function createOwnership(deps: OwnershipDeps): Ownership {
  const { rooms, directory, podId, isDirectoryShared, onBackgroundError } = deps
  const confirmation = createConfirmation(deps)
  const registration = createRegistration({
    ...deps,
    onLeaseLost: () => isDirectoryShared && confirmation.begin(),
    onLeaseRegained() {
      confirmation.end()
      if (isDirectoryShared) rooms.restoreAll().catch(onBackgroundError)
    },
  })
  const taking = { ...deps, mayTake: registration.isSettled }
  const loops = [createTakeOver(taking), createSweep(taking), confirmation]
  return {
    load: registration.load,
    drain: registration.drain,
    async register(address) {
      const conflict = await findConflict(directory, { podId, address, isAlone: deps.isAlone }).catch(
        // Safe: Redis may start after us, and an instance that cannot ask must still start.
        (error: unknown) => void onBackgroundError(error),
      )
      if (conflict !== undefined) return conflict
      await registration.start(address)
      for (const loop of loops) loop.start()
      return undefined
    },
    stopTaking() {
      for (const loop of loops) loop.stop()
    },
    release: registration.stop,
  }
}

interface Newcomer {
  podId: string
  address: string
  /** Configured as the only instance. */
  isAlone: boolean
}

/**
 * Why an instance must not start beside the living ones, as a sentence that names the configuration key. Two instances
 * that do not know each other, or share a name, would take each other's rooms.
 */
async function findConflict(pods: PodDirectory, newcomer: Newcomer): Promise<string | undefined> {
  const alive = async () => [...(await pods.alive())].map(([podId, { address }]) => ({ podId, address }))
  const isNamesake = ({ podId, address }: { podId: string; address: string }) =>
    podId === newcomer.podId && address !== newcomer.address
  // An instance that was killed a moment ago is still listed.
  if ((await alive()).some(isNamesake)) await delay(2 * leaseMs)
  const others = await alive()
  const namesake = others.find(isNamesake)
  if (namesake) return `POD_NAME “${namesake.podId}” is in use by the instance at ${namesake.address}.`
  const other = others.find(({ podId }) => podId !== newcomer.podId)
  return other && newcomer.isAlone
    ? `HORIZONTAL_SCALING_ENABLED must be true: REDIS_URL is shared with the instance “${other.podId}”.`
    : undefined
}
