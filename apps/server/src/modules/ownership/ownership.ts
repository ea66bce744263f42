import type { RoomStore, Rooms } from '../rooms/index.ts'
import { createConfirmation } from './confirmation.ts'
import { findConflict } from './find-conflict.ts'
import { createRegistration, type RegistrationDeps } from './registration.ts'
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
