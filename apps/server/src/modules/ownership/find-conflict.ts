import { setTimeout as delay } from 'node:timers/promises'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import { leaseMs } from './registration.ts'

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
export async function findConflict(pods: PodDirectory, newcomer: Newcomer): Promise<string | undefined> {
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
