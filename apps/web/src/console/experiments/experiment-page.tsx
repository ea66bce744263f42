import { inLanguage, mayWith, studyOf } from '@atrium/contract'
import { Alert, Anchor, Group, Stack, Tabs } from '@mantine/core'
import { useViewportSize } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { texts } from '../../text/console.ts'
import { isUnsaved, type Work } from '../builder/work.ts'
import { formsGroups } from '../definition/forms-groups.ts'
import { Loaded, PageSkeleton } from '../feedback/loaded.tsx'
import { isNotFound, NotFound, NothingHere } from '../feedback/nothing-here.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { ParticipantsTab } from '../recruits/participants-tab.tsx'
import { RevisionsTab } from '../revisions/revisions-tab.tsx'
import { RoomsTab } from '../rooms/rooms-tab.tsx'
import { SharingTab } from '../sharing/sharing-tab.tsx'
import { useLeaveGuard } from '../shell/leave-guard.tsx'
import { AccessBadge, StatusBadge } from './badges.tsx'
import { CopyExperimentButton } from './copy-button.tsx'
import { useExperiment } from './experiment-queries.ts'
import { OverviewTab } from './overview-tab.tsx'

const BuilderTab = lazy(() => import('../builder/builder-tab.tsx'))
const AgentsTab = lazy(() => import('../agents/study/agents-tab.tsx'))
const RecruitingTab = lazy(() => import('../recruiting/recruiting-tab.tsx'))
const DataTab = lazy(() => import('../exports/data-tab.tsx'))
const MatchingTab = lazy(() => import('../matching/matching-tab.tsx'))

const tabs = [
  'overview',
  'definition',
  'revisions',
  'rooms',
  'matching',
  'agents',
  'recruiting',
  'participants',
  'data',
  'sharing',
] as const
type TabName = (typeof tabs)[number]

interface ExperimentPageProps {
  experimentId: string
  tab: string | undefined
}

export function ExperimentPage({ experimentId, tab }: ExperimentPageProps) {
  const experiment = useExperiment(experimentId)
  return (
    <Stack>
      <Anchor component={Link} href="/" size="sm">
        {texts().experiments.back}
      </Anchor>
      {(!experiment.data || isNotFound(experiment.error)) && <PageTitle>{texts().experiments.one}</PageTitle>}
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

/** Matching is for group experiments; only the owner and administrators can share, and see who people are. */
function isShown(tab: TabName, { definition, access }: Omit<TabsProps, 'tab'>): boolean {
  if (tab === 'matching') return formsGroups(definition)
  if (tab === 'recruiting') return mayWith(access, 'edit')
  return !ownerTabs.some((name) => name === tab) || mayWith(access, 'owner')
}
const ownerTabs = ['participants', 'sharing'] as const

function ExperimentTabs({ tab, ...experiment }: TabsProps) {
  const { experimentId, definition, name, status, access } = experiment
  const [, navigate] = useLocation()
  // Kept here, so that what was typed survives a visit to another tab.
  const [work, setWork] = useState<Work>()
  useLeaveGuard(`/console/experiments/${experimentId}`, work !== undefined && isUnsaved(work))
  const shown = tabs.filter((name) => isShown(name, experiment))
  // Somebody may follow a link to a tab that they may not see.
  const withheld = ownerTabs.find((name) => name === tab && !shown.includes(name))
  const present = shown.find((name) => name === tab) ?? 'overview'
  const { viewOnly, ownerOnly } = texts().access
  const list = useRef<HTMLDivElement>(null)
  const { width } = useViewportSize()
  // On a phone most tabs lie beyond the edge. Not scrollIntoView, which would also move the page.
  useEffect(() => {
    const tabs = list.current
    const active = tabs?.querySelector<HTMLElement>(`[data-tab="${present}"]`)
    if (tabs && active && width > 0)
      tabs.scrollLeft = active.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - active.clientWidth) / 2
  }, [present, width])
  return (
    <Stack>
      <Group gap="sm">
        <PageTitle>{name}</PageTitle>
        <StatusBadge status={status} />
        <AccessBadge access={access} />
        <CopyExperimentButton definition={definition} />
      </Group>
      {!mayWith(access, 'edit') && (
        <Alert color="blue" title={viewOnly.title}>
          {viewOnly.message}
        </Alert>
      )}
      <Tabs
        value={withheld ? null : present}
        onChange={(value) => navigate(`/experiments/${experimentId}/${value ?? 'overview'}`)}
        keepMounted={false}
      >
        <Tabs.List ref={list} style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name} data-tab={name} style={{ flexShrink: 0 }}>
              {texts().experiments.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={present} pt="md">
          <Suspense fallback={<PageSkeleton />}>
            <TabContent name={present} experiment={experiment} work={work} setWork={setWork} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      {withheld && <NothingHere title={ownerOnly[withheld].title}>{ownerOnly[withheld].message}</NothingHere>}
    </Stack>
  )
}

interface TabContentProps {
  name: TabName
  experiment: Omit<TabsProps, 'tab'>
  work: Work | undefined
  setWork: (change: (work: Work | undefined) => Work | undefined) => void
}

function TabContent({ name, experiment: written, work, setWork }: TabContentProps) {
  const { experimentId } = written
  const experiment = { ...written, definition: inLanguage(studyOf(written.definition)) }
  switch (name) {
    case 'overview':
      return (
        <OverviewTab
          {...written}
          isUnsaved={work !== undefined && isUnsaved(work)}
          onPublished={() => setWork(() => undefined)}
        />
      )
    case 'definition':
      return <BuilderTab experiment={written} work={work} setWork={setWork} />
    case 'rooms':
      return <RoomsTab experimentId={experimentId} />
    case 'matching':
      return <MatchingTab experimentId={experimentId} />
    case 'agents':
      return <AgentsTab {...experiment} />
    case 'recruiting':
      return <RecruitingTab {...experiment} />
    case 'revisions':
      return <RevisionsTab experiment={written} />
    case 'participants':
      return <ParticipantsTab experimentId={experimentId} />
    case 'data':
      return <DataTab {...experiment} />
    case 'sharing':
      return <SharingTab experimentId={experimentId} />
  }
}
