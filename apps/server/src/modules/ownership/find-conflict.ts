import { setTimeout as delay } from 'node:timers/promises'
import type { PodDirectory } from '../../ports/pod-directory.ts'
import { leaseMs } from './registration.ts'

interface Newcomer {
  podId: string
  address: string
  /** Not configured to be one of several. */
  isAlone: boolean
}

/**
 * Why an instance must not start beside those that are alive, as a sentence that names the key: unknown to each other,
 * or under one name, they would take each other's rooms.
 */
export async function findBadCompany(pods: PodDirectory, newcomer: Newcomer): Promise<string | undefined> {
  const alive = async () => [...(await pods.alive())].map(([podId, { address }]) => ({ podId, address }))
  const isNamesake = ({ podId, address }: { podId: string; address: string }) =>
    podId === newcomer.podId && address !== newcomer.address
  // One that was killed a moment ago is still listed.
  if ((await alive()).some(isNamesake)) await delay(2 * leaseMs)
  const others = await alive()
  const namesake = others.find(isNamesake)
  if (namesake) return `POD_NAME “${namesake.podId}” is in use by the instance at ${namesake.address}.`
  const other = others.find(({ podId }) => podId !== newcomer.podId)
  return other && newcomer.isAlone
    ? `HORIZONTAL_SCALING_ENABLED must be true: REDIS_URL is shared with the instance “${other.podId}”.`
    : undefined
}
