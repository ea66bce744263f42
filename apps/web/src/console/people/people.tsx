import type { ExperimentAccess, ExperimentDefinition } from '@atrium/contract'
import { useState } from 'react'
import { PeopleList } from './people-list.tsx'
import type { PeopleFilters } from './people-queries.ts'
import { PersonView } from './person-view.tsx'

interface PeopleProps {
  experimentId: string
  definition: ExperimentDefinition
  access: ExperimentAccess
  /** Only those who joined this one. */
  revision?: number
}

/** All participants, or one of them. The filters stay while somebody is looked at. */
export function People({ revision, ...experiment }: PeopleProps) {
  const [chosenFilters, setFilters] = useState<PeopleFilters>({ status: '', outcome: '', condition: '' })
  const filters = { ...chosenFilters, ...(revision !== undefined && { revision }) }
  const [chosen, setChosen] = useState<string>()
  return chosen === undefined ? (
    <PeopleList {...experiment} filters={filters} onFilter={setFilters} onChoose={setChosen} />
  ) : (
    <PersonView {...experiment} participantId={chosen} onBack={() => setChosen(undefined)} />
  )
}
