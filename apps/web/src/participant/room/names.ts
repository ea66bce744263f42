import type { RoomSnapshot } from '@atrium/contract'

type Others = RoomSnapshot['others']

/** What this participant calls somebody: an agent by its name where agents are disclosed, everybody else by alias. */
export interface CalledName {
  name: string
  isAgent: boolean
}

/** R43: by alias. Agents of the same name keep their alias beside it, so that they can be told apart. */
export function namesOf(others: Others): ReadonlyMap<string, CalledName> {
  const shared = new Map<string, number>()
  for (const { agent } of others) if (agent !== undefined) shared.set(agent, (shared.get(agent) ?? 0) + 1)
  return new Map(
    others.map(({ alias, agent }) => {
      const isUnique = agent !== undefined && shared.get(agent) === 1
      const name = agent === undefined ? alias : isUnique ? agent : `${agent} (${alias})`
      return [alias, { name, isAgent: agent !== undefined }]
    }),
  )
}

/** Those who still take part, unless all of them are people: then there is nothing to disclose. */
export function disclosedCompany(others: Others): CalledName[] {
  const names = namesOf(others)
  const present = others.filter(({ status }) => status === 'active' || status === 'dropped')
  const called = present.flatMap(({ alias }) => names.get(alias) ?? [])
  return called.some(({ isAgent }) => isAgent) ? called : []
}
