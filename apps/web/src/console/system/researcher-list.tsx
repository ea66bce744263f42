import { type Researcher, type Researchers, systemRoutes } from '@atrium/contract'
import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { texts } from '../../text/console.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { RowTable } from '../feedback/row-table.tsx'
import { useApi } from '../session/session.ts'

/** Who has which role, and who says so. */
export function ResearcherList() {
  const text = texts().systemInside.people
  const query = useResearchers()
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h3">
        {text.title}
      </Title>
      <Text size="sm" c="dimmed" maw={720}>
        {text.intro}
      </Text>
      <Loaded query={query}>{({ researchers }) => <Rows researchers={researchers} />}</Loaded>
    </Stack>
  )
}

function Rows({ researchers }: { researchers: readonly Researcher[] }) {
  const { systemInside, format } = texts()
  const { columns, roles, from, empty, card } = systemInside.people
  const now = Date.now()
  if (researchers.length === 0) return <NothingHere title={empty.title}>{empty.message}</NothingHere>
  return (
    <RowTable
      rows={researchers}
      keyOf={({ person }) => person}
      minWidth={720}
      columns={[
        { header: columns.person, cell: (row) => <Person {...row} />, breaksAnywhere: true },
        { header: columns.role, cell: ({ role }) => roles[role] },
        { header: columns.from, cell: ({ roleFrom }) => from[roleFrom] },
        {
          header: columns.experiments,
          cell: ({ experiments }) => format.number(experiments),
          isNumber: true,
        },
        { header: columns.seen, cell: ({ seenAt }) => format.ago(seenAt, now) },
        { header: columns.first, cell: ({ firstSeenAt }) => format.dateTime(firstSeenAt) },
      ]}
      card={(row) => (
        <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
          <Person {...row} />
          <Text size="sm">{roles[row.role]}</Text>
          <Text size="sm" c="dimmed">
            {card(from[row.roleFrom], row.experiments, format.ago(row.seenAt, now))}
          </Text>
        </Stack>
      )}
    />
  )
}

/** The subject first: it is what tells people of one laboratory apart. */
function Person({ person, email }: Researcher) {
  const [issuer = '', ...subject] = person.split(' ')
  return (
    <>
      <Text inherit fw={500}>
        {email ?? subject.join(' ')}
      </Text>
      <Text size="xs" c="dimmed">
        {email === null ? issuer : person}
      </Text>
    </>
  )
}

function useResearchers() {
  const api = useApi()
  return useQuery({
    queryKey: ['system', 'researchers'],
    queryFn: ({ signal }): Promise<Researchers> => api.call(systemRoutes.researchers, { signal }),
  })
}
