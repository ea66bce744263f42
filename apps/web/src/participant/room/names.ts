import type { RoomSnapshot } from '@atrium/contract'

type Others = RoomSnapshot['others']

/**
 * What this participant calls somebody: an agent by its name where agents are disclosed, everybody else by the name of
 * their role, or by alias where roles have no names.
 */
export interface CalledName {
  name: string
  isAgent: boolean
}

/** R43: by alias. People and agents of the same name keep their alias beside it, so that they can be told apart. */
export function namesOf(others: Others): ReadonlyMap<string, CalledName> {
  const shared = Map.groupBy(others, nameOf)
  return new Map(
    others.map((other) => {
      const { alias, agent } = other
      const name = nameOf(other)
      const isUnique = name !== undefined && shared.get(name)?.length === 1
      const called = name === undefined ? alias : isUnique ? name : `${name} (${alias})`
      return [alias, { name: called, isAgent: agent !== undefined }]
    }),
  )
}

const nameOf = ({ agent, roleName }: Others[number]): string | undefined => agent ?? roleName

/** Those who still take part, unless all of them are people without a name: then there is nothing to say. */
export function disclosedCompany(others: Others): CalledName[] {
  const names = namesOf(others)
  const present = others.filter(({ status }) => status === 'active' || status === 'dropped')
  const called = present.flatMap(({ alias }) => names.get(alias) ?? [])
  return present.some((other) => nameOf(other) !== undefined) ? called : []
}
