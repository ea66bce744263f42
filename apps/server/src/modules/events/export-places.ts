/** Each export holds a page or two in memory, and a connection. */
const maxExports = { inAll: 32, perExperiment: 24, perPerson: 16 }

export interface TakenPlace {
  person: string
  experimentId: string
}

export type Admission<Taken> = { kind: 'admitted' } | { kind: 'instead'; of: Taken } | { kind: 'refused' }

/**
 * Whether somebody may begin an export. `taken` has the one that was read from longest ago first. When all places are
 * taken, whoever holds the most of them loses that one to somebody who holds at least two fewer: nobody can keep others
 * out, by not reading or otherwise. A reader whose export was broken off can continue it (D20).
 */
export function admitExport<Taken extends TakenPlace>(
  taken: readonly Taken[],
  wanted: TakenPlace,
  allowed = maxExports,
): Admission<Taken> {
  const own = taken.filter(({ person }) => person === wanted.person)
  if (own.length >= allowed.perPerson) return { kind: 'refused' }
  const ofExperiment = taken.filter(({ experimentId }) => experimentId === wanted.experimentId)
  if (ofExperiment.length >= allowed.perExperiment) return insteadOf(ofExperiment, wanted.person)
  return taken.length >= allowed.inAll ? insteadOf(taken, wanted.person) : { kind: 'admitted' }
}

function insteadOf<Taken extends TakenPlace>(taken: readonly Taken[], newcomer: string): Admission<Taken> {
  const byPerson = Map.groupBy(taken, ({ person }) => person)
  const own = byPerson.get(newcomer)?.length ?? 0
  const allowed = [...byPerson.values()].reduce<readonly Taken[]>(
    (one, other) => (other.length > one.length ? other : one),
    [],
  )
  const [longestIdle] = allowed
  return longestIdle && allowed.length > own + 1 ? { kind: 'instead', of: longestIdle } : { kind: 'refused' }
}
