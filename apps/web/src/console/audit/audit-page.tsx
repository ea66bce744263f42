import { type AuditRecord, auditRoutes } from '@atrium/contract'
import { Button, Code, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { texts } from '../../text/console.ts'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { PagedList } from '../feedback/paged-list.tsx'
import { RowTable } from '../feedback/row-table.tsx'
import { useApi } from '../session/session.ts'

/** Who did what; for administrators. */
export default function AuditPage() {
  const text = texts().audit
  const audit = useAudit()
  const refresh = (
    <Button variant="default" loading={audit.isFetching} onClick={() => void audit.refetch()}>
      {text.refresh}
    </Button>
  )
  return (
    <Stack>
      <PageTitle beside={refresh}>{text.title}</PageTitle>
      <Text c="dimmed" maw={720}>
        {text.intro}
      </Text>
      <PagedList query={audit} rowsOf={({ entries }) => entries}>
        {(rows) => <Entries entries={rows} />}
      </PagedList>
    </Stack>
  )
}

function Entries({ entries }: { entries: AuditRecord[] }) {
  const { audit: text, format } = texts()
  const { columns, empty } = text
  if (entries.length === 0) return <NothingHere title={empty.title}>{empty.message}</NothingHere>
  return (
    <RowTable
      rows={entries}
      keyOf={({ entry }) => entry}
      minWidth={760}
      columns={[
        {
          header: columns.at,
          cell: ({ at }) => (
            <Text span inherit style={{ whiteSpace: 'nowrap' }}>
              {format.dateTime(at)}
            </Text>
          ),
        },
        { header: columns.actor, cell: ({ actor }) => actor, breaksAnywhere: true },
        { header: columns.action, cell: ({ action }) => <Code>{action}</Code> },
        { header: columns.subject, cell: ({ subject }) => subject, breaksAnywhere: true },
        { header: columns.details, cell: detailsOf, breaksAnywhere: true },
      ]}
      card={(row) => (
        <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
          <Text size="sm" c="dimmed">
            {format.dateTime(row.at)}
          </Text>
          <Code>{row.action}</Code>
          <Text size="sm">{row.subject}</Text>
          <Text size="sm">{row.actor}</Text>
          <Text size="sm">{detailsOf(row)}</Text>
        </Stack>
      )}
    />
  )
}

const detailsOf = ({ details }: AuditRecord): string =>
  Object.entries(details)
    .map(([name, value]) =>
      texts().audit.detail(name, typeof value === 'string' ? value : JSON.stringify(value)),
    )
    .join('; ')

function useAudit() {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }) =>
      api.call(auditRoutes.list, { query: pageParam === null ? {} : { before: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
}
