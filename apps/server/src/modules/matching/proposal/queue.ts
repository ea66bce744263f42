import { isDeclared } from './assign-roles.ts'
import { createNumbering, partsOf } from './attributes.ts'
import { anyRole, append, emptyPool, type Kind, openKind, type Pool } from './pool.ts'
import type { MatchInput } from './proposal.ts'

export interface Seeker {
  pool: Pool
  kind: Kind
}

export interface Queue {
  pools: Pool[]
  /** By index in the queue. */
  seekers: Seeker[]
  isGone: boolean[]
  /** Index → indexes of the people this person has met; only for people who have met somebody in the queue. */
  met: ReadonlyMap<number, ReadonlySet<number>>
}

/** Sorts people into pools, and within those into kinds. */
export function createQueue({ people, settings, formerPartners }: MatchInput): Queue {
  const { exclusions, balance, roles } = settings
  const unsharedOf = createNumbering(attributesIn(exclusions, 'same'))
  const commonOf = createNumbering(attributesIn(exclusions, 'different'))
  const balancedOf = createNumbering(balance)
  const met = exclusions.includes('never_again') ? meetings(people, formerPartners) : new Map()
  const pools = new Map<string, { pool: Pool; kinds: Map<string, Kind> }>()

  const seekers = people.map((person, index): Seeker => {
    const { pool, kinds } = entryOf(pools, commonOf(person).join(), () => ({
      pool: emptyPool(roles.length),
      kinds: new Map<string, Kind>(),
    }))
    const role = isDeclared(person.role, roles) ? roles.findIndex(({ id }) => id === person.role) : anyRole
    const unshared = unsharedOf(person)
    const balanced = balancedOf(person)
    const parts = partsOf(person)
    // A person who has met somebody is a kind of their own.
    const likeness = `${role}/${unshared.join()}/${balanced.join()}/${parts}/${met.has(index) ? index : ''}`
    const kind = entryOf(kinds, likeness, () => openKind(pool, { role, unshared, balanced, parts }, index))
    append(pool, kind, index)
    return { pool, kind }
  })
  return {
    pools: [...pools.values()].map(({ pool }) => pool),
    seekers,
    isGone: people.map(() => false),
    met,
  }
}

const attributesIn = (exclusions: MatchInput['settings']['exclusions'], by: 'same' | 'different'): string[] =>
  exclusions.flatMap((rule) => (typeof rule === 'object' && by in rule ? Object.values<string>(rule) : []))

function meetings(people: MatchInput['people'], formerPartners: MatchInput['formerPartners']) {
  const indexes = new Map(people.map(({ participantId }, index) => [participantId, index]))
  const met = new Map<number, Set<number>>()
  for (const [one, other] of formerPartners) {
    const a = indexes.get(one)
    const b = indexes.get(other)
    if (a === undefined || b === undefined || a === b) continue
    entryOf(met, a, () => new Set()).add(b)
    entryOf(met, b, () => new Set()).add(a)
  }
  return met
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}
