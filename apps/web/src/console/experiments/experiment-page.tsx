import { type ExperimentDefinition, groupSizeOf, mayWith } from '@atrium/contract'
import { Alert, Anchor, Group, Stack, Tabs } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Draft } from '../definition/draft.ts'
import { DataTab } from '../exports/data-tab.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { isNotFound, NotFound } from '../feedback/not-found.tsx'
import { PageSkeleton } from '../feedback/page-skeleton.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { ParticipantsTab } from '../recruits/participants-tab.tsx'
import { RevisionsTab } from '../revisions/revisions-tab.tsx'
import { RoomsTab } from '../rooms/rooms-tab.tsx'
import { SharingTab } from '../sharing/sharing-tab.tsx'
import { useLeaveGuard } from '../shell/leave-guard.tsx'
import { viewOnlySentence } from './access.ts'
import { AccessBadge } from './access-badge.tsx'
import { CopyExperimentButton } from './copy-button.tsx'
import { useExperiment } from './experiment-queries.ts'
import { OverviewTab } from './overview-tab.tsx'
import { StatusBadge } from './status-badge.tsx'

const DefinitionTab = lazy(() => import('../definition/definition-tab.tsx'))
const MatchingTab = lazy(() => import('../matching/matching-tab.tsx'))

const tabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'definition', label: 'Definition' },
  { value: 'revisions', label: 'Revisions' },
  { value: 'rooms', label: 'Rooms' },
  { value: 'matching', label: 'Matching' },
  { value: 'participants', label: 'Participants' },
  { value: 'data', label: 'Data' },
  { value: 'sharing', label: 'Sharing' },
] as const
type TabName = (typeof tabs)[number]['value']

interface ExperimentPageProps {
  experimentId: string
  tab: string | undefined
}

export function ExperimentPage({ experimentId, tab }: ExperimentPageProps) {
  const experiment = useExperiment(experimentId)
  return (
    <Stack>
      <Anchor component={Link} href="/" size="sm">
        ← Experiments
      </Anchor>
      {(!experiment.data || isNotFound(experiment.error)) && <PageTitle>Experiment</PageTitle>}
      {isNotFound(experiment.error) ? (
        <NotFound what="experiment" />
      ) : (
        <Loaded query={experiment} skeletonHeight={400}>
          {(data) => <ExperimentTabs {...data} tab={tab} />}
        </Loaded>
      )}
    </Stack>
  )
}

type TabsProps = NonNullable<ReturnType<typeof useExperiment>['data']> & { tab: string | undefined }

/** Only where people share a room is anyone matched; only the owner and administrators share, and see who people are. */
function isShown(tab: TabName, { definition, access }: Omit<TabsProps, 'tab'>): boolean {
  if (tab === 'matching') return isGroupExperiment(definition)
  return (tab !== 'sharing' && tab !== 'participants') || mayWith(access, 'owner')
}
const isGroupExperiment = (definition: ExperimentDefinition) => groupSizeOf(definition).max > 1

function ExperimentTabs({ tab, ...experiment }: TabsProps) {
  const { experimentId, definition, name, status, access } = experiment
  const [, navigate] = useLocation()
  // Held here, so that a look at another tab does not cost what was typed.
  const [draft, setDraft] = useState<Draft>()
  useLeaveGuard(`/console/experiments/${experimentId}`, draft !== undefined)
  const shown = tabs.filter(({ value }) => isShown(value, experiment))
  const present = shown.find(({ value }) => value === tab)?.value ?? 'overview'
  return (
    <Stack>
      <Group gap="sm">
        <PageTitle>{name}</PageTitle>
        <StatusBadge status={status} />
        <AccessBadge access={access} />
        <CopyExperimentButton definition={definition} />
      </Group>
      {!mayWith(access, 'edit') && (
        <Alert color="blue" title="View only">
          {viewOnlySentence}
        </Alert>
      )}
      <Tabs
        value={present}
        onChange={(value) => navigate(`/experiments/${experimentId}/${value ?? 'overview'}`)}
        keepMounted={false}
      >
        <Tabs.List style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          {shown.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} style={{ flexShrink: 0 }}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={present} pt="md">
          <Suspense fallback={<PageSkeleton />}>
            <TabContent name={present} experiment={experiment} draft={draft} setDraft={setDraft} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

interface TabContentProps {
  name: TabName
  experiment: Omit<TabsProps, 'tab'>
  draft: Draft | undefined
  setDraft: (draft: Draft | undefined) => void
}

function TabContent({ name, experiment, draft, setDraft }: TabContentProps) {
  const { experimentId } = experiment
  switch (name) {
    case 'overview':
      return <OverviewTab {...experiment} />
    case 'definition':
      return <DefinitionTab experiment={experiment} draft={draft} setDraft={setDraft} />
    case 'rooms':
      return <RoomsTab experimentId={experimentId} />
    case 'matching':
      return <MatchingTab experimentId={experimentId} />
    case 'revisions':
      return <RevisionsTab experimentId={experimentId} />
    case 'participants':
      return <ParticipantsTab experimentId={experimentId} />
    case 'data':
      return <DataTab experimentId={experimentId} experimentName={experiment.name} />
    case 'sharing':
      return <SharingTab experimentId={experimentId} />
  }
}
