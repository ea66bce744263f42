import { Type } from 'typebox'
import { accessSubjectOf, type RouteSpec } from './route.ts'

const keyAccesses = ['read', 'write'] as const
export type KeyAccess = (typeof keyAccesses)[number]
export const KeyAccess = Type.Enum(keyAccesses, {
  description: '`read`: reads what people with `view` access may read; `write`: also changes',
})

/** Begins every API key, so that scanners for leaked secrets recognise one. */
export const apiKeyPrefix = 'atk_'

/**
 * R49: the access that an API key needs to call a route; undefined if no key may. People alone do what only owners may
 * (share, read who participants are), what only admins may, and whatever concerns keys.
 */
export function keyAccessOf({ auth, access, method, keys }: RouteSpec): KeyAccess | undefined {
  if (auth !== 'researcher' || access === 'owner' || keys === 'never') return undefined
  return method === 'GET' ? 'read' : 'write'
}

/** What a key was made for. */
export interface KeyScope {
  access: KeyAccess
  /** `null`: everything that its owner may see. */
  experiments: readonly string[] | null
}

/** Why a key may not call a route: no key may, it only reads, or the route is not about its experiments. */
export type KeyRefusal = 'people_only' | 'read_only' | 'limited'

export function keyRefusalOf(route: RouteSpec, { access, experiments }: KeyScope): KeyRefusal | undefined {
  const needed = keyAccessOf(route)
  if (needed === undefined) return 'people_only'
  if (needed === 'write' && access === 'read') return 'read_only'
  const concernsTheirs = accessSubjectOf(route) !== undefined || route.keys === 'filtered'
  return experiments !== null && !concernsTheirs ? 'limited' : undefined
}
