import type { ExperimentAccess, ExperimentDefinition } from '@atrium/contract'
import { useState } from 'react'
import { PeopleList } from './people-list.tsx'
import type { PeopleFilters } from './people-queries.ts'
import { PersonView } from './person-view.tsx'

interface PeopleProps {
  experimentId: string
  definition: ExperimentDefinition
  access: ExperimentAccess
}

/** All participants, or one of them. The filters stay while somebody is looked at. */
export function People(experiment: PeopleProps) {
  const [filters, setFilters] = useState<PeopleFilters>({ status: '', outcome: '', condition: '' })
  const [chosen, setChosen] = useState<string>()
  return chosen === undefined ? (
    <PeopleList {...experiment} filters={filters} onFilter={setFilters} onChoose={setChosen} />
  ) : (
    <PersonView {...experiment} participantId={chosen} onBack={() => setChosen(undefined)} />
  )
}
