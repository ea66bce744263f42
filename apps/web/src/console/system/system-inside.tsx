import { type SystemInstances, systemRoutes } from '@atrium/contract'
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { CallFailed } from '../../api/call.ts'
import { texts } from '../../text/console.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { useApi, useSession } from '../session/session.ts'
import { InstanceList } from './instance-list.tsx'
import { MetricPictures } from './metric-pictures.tsx'
import { ResearcherList } from './researcher-list.tsx'

/** With a provider only the platform knows who is an administrator, and refuses everybody else. */
export function SystemInside({ refreshMs }: { refreshMs: number }) {
  const { chosenRole } = useSession()
  return chosenRole === undefined || chosenRole === 'admin' ? (
    <ForAdmins refreshMs={refreshMs} />
  ) : (
    <OnlyAdmins />
  )
}

const OnlyAdmins = () => (
  <Text size="sm" c="dimmed">
    {texts().systemInside.onlyAdmins}
  </Text>
)

function ForAdmins({ refreshMs }: { refreshMs: number }) {
  const text = texts().systemInside
  const query = useInstances(refreshMs)
  if (query.error instanceof CallFailed && query.error.status === 403) return <OnlyAdmins />
  return (
    <>
      <Loaded query={query} skeletonHeight={420}>
        {(system) => (
          <>
            <InstanceList instances={system.instances} at={system.at} />
            <MetricPictures {...system} />
          </>
        )}
      </Loaded>
      {query.data && <ResearcherList />}
      <Text size="sm">
        {text.audit}{' '}
        <Anchor component={Link} href="/audit" inherit underline="always">
          {text.auditLink}
        </Anchor>
        .
      </Text>
    </>
  )
}

function useInstances(refetchInterval: number) {
  const api = useApi()
  return useQuery({
    queryKey: ['system', 'instances'],
    queryFn: ({ signal }): Promise<SystemInstances> => api.call(systemRoutes.instances, { signal }),
    // Whoever is not an administrator stays so until they sign in again.
    refetchInterval: ({ state }) => (state.data ? refetchInterval : false),
  })
}
