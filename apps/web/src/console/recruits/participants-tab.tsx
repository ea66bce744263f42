import { type Recruit, recruitmentRoutes } from '@atrium/contract'
import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { texts } from '../../text/console.ts'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { PagedList } from '../feedback/paged-list.tsx'
import { RowTable } from '../feedback/row-table.tsx'
import { useApi } from '../session/session.ts'

/** Who took part, by the ids of the recruiting platform, so that they can be paid. */
export function ParticipantsTab({ experimentId }: { experimentId: string }) {
  const recruits = useRecruits(experimentId)
  const { intro, refresh } = texts().participants
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw={620}>
          {intro}
        </Text>
        <Button variant="default" loading={recruits.isFetching} onClick={() => void recruits.refetch()}>
          {refresh}
        </Button>
      </Group>
      <PagedList query={recruits} rowsOf={({ participants }) => participants}>
        {(rows) => <Recruits recruits={rows} />}
      </PagedList>
    </Stack>
  )
}

function Recruits({ recruits }: { recruits: Recruit[] }) {
  const { format, feedback, participants } = texts()
  const { columns, none, noneMessage } = participants
  if (recruits.length === 0) return <NothingHere title={none}>{noneMessage}</NothingHere>
  return (
    <RowTable
      rows={recruits}
      keyOf={({ participantId }) => participantId}
      minWidth={760}
      columns={[
        { header: columns.recruitingIds, cell: (row) => <RecruitingIds metadata={row.metadata} /> },
        {
          header: columns.participant,
          cell: ({ participantId }) => <Code>{participantId}</Code>,
          breaksAnywhere: true,
        },
        { header: columns.joined, cell: ({ joinedAt }) => format.dateTime(joinedAt) },
        {
          header: columns.consent,
          cell: ({ consentedAt }) => (consentedAt === null ? feedback.none : format.dateTime(consentedAt)),
        },
        { header: columns.status, cell: ({ status }) => status },
        { header: columns.outcome, cell: ({ outcome }) => outcome ?? feedback.none },
        { header: columns.code, cell: ({ completionCode }) => completionCode ?? feedback.none },
      ]}
      card={({ participantId, metadata, joinedAt, status, outcome, completionCode }) => (
        <Stack gap={4}>
          {Object.keys(metadata).length > 0 && <RecruitingIds metadata={metadata} />}
          <Code style={{ overflowWrap: 'anywhere', alignSelf: 'flex-start' }}>{participantId}</Code>
          <Text size="sm">
            {[status, outcome, completionCode].filter((part) => part !== null).join(' · ')}
          </Text>
          <Text size="sm" c="dimmed">
            {format.dateTime(joinedAt)}
          </Text>
        </Stack>
      )}
    />
  )
}

function RecruitingIds({ metadata }: Pick<Recruit, 'metadata'>) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return texts().feedback.none
  return entries.map(([name, value]) => (
    <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {texts().participants.recruitingId(name, typeof value === 'string' ? value : JSON.stringify(value))}
    </Text>
  ))
}

/** Never refetched automatically: every request is recorded in the audit log. */
function useRecruits(experimentId: string) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['experiments', experimentId, 'recruits'],
    queryFn: ({ pageParam, signal }) =>
      api.call(recruitmentRoutes.list, {
        params: { experimentId },
        query: pageParam === undefined ? {} : { after: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnWindowFocus: false,
  })
}
