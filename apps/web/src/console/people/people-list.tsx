import {
  conditionNamesOf,
  type ExperimentDefinition,
  outcomeNames,
  outcomesIn,
  type Person,
  type SessionStatus,
} from '@atrium/contract'
import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { PagedList } from '../feedback/paged-list.tsx'
import { RowTable } from '../feedback/row-table.tsx'
import { type PeopleFilters, usePeople } from './people-queries.ts'

interface PeopleListProps {
  experimentId: string
  definition: ExperimentDefinition
  filters: PeopleFilters
  onFilter: (filters: PeopleFilters) => void
  onChoose: (participantId: string) => void
}

export function PeopleList({ experimentId, definition, filters, onFilter, onChoose }: PeopleListProps) {
  const text = texts().people
  const people = usePeople(experimentId, filters)
  return (
    <section aria-labelledby="people">
      <Stack>
        <Group justify="space-between" align="flex-end">
          <div>
            <Title order={2} size="h4" id="people">
              {text.title}
            </Title>
            <Text size="sm" c="dimmed" maw={620}>
              {text.intro}
            </Text>
          </div>
          <Button variant="default" loading={people.isFetching} onClick={() => void people.refetch()}>
            {text.refresh}
          </Button>
        </Group>
        <Filters definition={definition} filters={filters} onFilter={onFilter} />
        <PagedList query={people} rowsOf={({ participants }) => participants}>
          {(rows) => <PeopleTable people={rows} onChoose={onChoose} />}
        </PagedList>
      </Stack>
    </section>
  )
}

function Filters({ definition, filters, onFilter }: Omit<PeopleListProps, 'experimentId' | 'onChoose'>) {
  const text = texts().people
  const all = { value: '', label: text.every }
  const outcomes = [...new Set([...outcomeNames, ...outcomesIn(definition), ...codesIn(definition)])]
  const conditions = [definition, ...(definition.stages ?? [])].flatMap(conditionNamesOf)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} maw={760}>
      <NativeSelect
        label={text.status}
        value={filters.status}
        onChange={({ currentTarget }) =>
          onFilter({ ...filters, status: currentTarget.value as PeopleFilters['status'] })
        }
        data={[
          all,
          ...Object.entries(text.statuses).map(([value, label]) => ({
            value: value as SessionStatus,
            label,
          })),
        ]}
      />
      <NativeSelect
        label={text.outcome}
        value={filters.outcome}
        onChange={({ currentTarget }) => onFilter({ ...filters, outcome: currentTarget.value })}
        data={[all, ...outcomes]}
      />
      {conditions.length > 0 && (
        <NativeSelect
          label={text.condition}
          value={filters.condition}
          onChange={({ currentTarget }) => onFilter({ ...filters, condition: currentTarget.value })}
          data={[all, ...conditions]}
        />
      )}
    </SimpleGrid>
  )
}

/** Where pages decide, they may use the names of codes. */
const codesIn = ({ completion }: ExperimentDefinition): string[] => Object.keys(completion?.codes ?? {})

function PeopleTable({ people, onChoose }: { people: Person[] } & Pick<PeopleListProps, 'onChoose'>) {
  const { people: text, feedback, format } = texts()
  if (people.length === 0) return <NothingHere title={text.none}>{text.noneMessage}</NothingHere>
  const link = ({ participantId }: Person) => (
    <UnstyledButton
      className="row-link"
      fz="sm"
      style={{ overflowWrap: 'anywhere' }}
      aria-label={text.showLabel(participantId)}
      onClick={() => onChoose(participantId)}
    >
      {participantId}
    </UnstyledButton>
  )
  const hasConditions = people.some(({ condition }) => condition !== null)
  return (
    <RowTable
      rows={people}
      keyOf={({ participantId }) => participantId}
      minWidth={680}
      isHighlighted
      columns={[
        { header: text.columns.participant, cell: link },
        { header: text.columns.joined, cell: ({ joinedAt }) => format.dateTime(joinedAt) },
        { header: text.columns.status, cell: ({ status }) => text.statuses[status] },
        {
          header: text.columns.outcome,
          cell: ({ outcome }) => outcome ?? feedback.none,
          breaksAnywhere: true,
        },
        ...(hasConditions
          ? [{ header: text.columns.condition, cell: ({ condition }: Person) => condition ?? feedback.none }]
          : []),
        { header: text.columns.alias, cell: ({ alias }) => alias ?? feedback.none },
      ]}
      card={(person) => (
        <Stack gap={4}>
          {link(person)}
          <Text size="sm">
            {[text.statuses[person.status], person.outcome, person.condition, person.alias]
              .filter((part) => part !== null)
              .join(' · ')}
          </Text>
          <Text size="sm" c="dimmed">
            {format.dateTime(person.joinedAt)}
          </Text>
        </Stack>
      )}
    />
  )
}
