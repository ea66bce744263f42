import { Anchor, Button, Stack, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link, Redirect, Route, Router, Switch } from 'wouter'
import { RescueBoundary } from '../rescue/rescue-boundary.tsx'
import { texts } from '../text/console.ts'
import { ExperimentPage } from './experiments/experiment-page.tsx'
import { ExperimentsPage } from './experiments/experiments-page.tsx'
import { PageSkeleton } from './feedback/loaded.tsx'
import { PageTitle } from './feedback/page-title.tsx'
import { UploadsProvider } from './media/uploads/uploads-context.tsx'
import { RoomPage } from './rooms/room-page.tsx'
import { SessionGate } from './session/session-gate.tsx'
import { ConsoleShell } from './shell/console-shell.tsx'
import { LeaveGuard } from './shell/leave-guard.tsx'

// The editor includes the whole component catalogue, which the list of experiments does not need.
const AgentsPage = lazy(() => import('./agents/agents-page.tsx'))
const AuditPage = lazy(() => import('./audit/audit-page.tsx'))
const KeysPage = lazy(() => import('./keys/keys-page.tsx'))
const MediaPage = lazy(() => import('./media/media-page.tsx'))
const ReplayPage = lazy(() => import('./replay/replay-page.tsx'))
const SystemPage = lazy(() => import('./system/system-page.tsx'))
const NewExperimentPage = lazy(() => import('./experiments/new-experiment-page.tsx'))

export function App() {
  return (
    <SessionGate>
      <UploadsProvider>
        <LeaveGuard>
          {(aroundNav) => (
            <Router base="/console" aroundNav={aroundNav}>
              <ConsoleShell>
                <RescueBoundary instead={<BrokenPage />}>
                  <Suspense fallback={<PageSkeleton />}>
                    <Pages />
                  </Suspense>
                </RescueBoundary>
              </ConsoleShell>
            </Router>
          )}
        </LeaveGuard>
      </UploadsProvider>
    </SessionGate>
  )
}

/** Usually a part that is loaded late and that a newer version no longer has. */
const BrokenPage = () => (
  <Stack align="flex-start">
    <PageTitle>{texts().brokenPage.title}</PageTitle>
    <Text>{texts().brokenPage.message}</Text>
    <Button onClick={() => location.reload()}>{texts().brokenPage.reload}</Button>
  </Stack>
)

function Pages() {
  return (
    <Switch>
      <Route path="/">
        <ExperimentsPage />
      </Route>
      <Route path="/new">
        <NewExperimentPage />
      </Route>
      <Route path="/media/:tab?">{({ tab }) => <MediaPage tab={tab} />}</Route>
      <Route path="/agents">
        <AgentsPage />
      </Route>
      <Route path="/keys">
        <KeysPage />
      </Route>
      <Route path="/audit">
        <AuditPage />
      </Route>
      <Route path="/system">
        <SystemPage />
      </Route>
      <Route path="/experiments">
        <Redirect to="/" replace />
      </Route>
      <Route path="/experiments/:experimentId/rooms/:roomId/replay">
        {({ experimentId, roomId }) => (
          <ReplayPage key={roomId} experimentId={experimentId} roomId={roomId} />
        )}
      </Route>
      <Route path="/experiments/:experimentId/rooms/:roomId">
        {({ experimentId, roomId }) => <RoomPage key={roomId} experimentId={experimentId} roomId={roomId} />}
      </Route>
      <Route path="/experiments/:experimentId/:tab?">
        {({ experimentId, tab }) => (
          <ExperimentPage key={experimentId} experimentId={experimentId} tab={tab} />
        )}
      </Route>
      <Route>
        <Stack>
          <PageTitle>{texts().noPage.title}</PageTitle>
          <Text>{texts().noPage.message}</Text>
          <Anchor component={Link} href="/">
            {texts().noPage.toExperiments}
          </Anchor>
        </Stack>
      </Route>
    </Switch>
  )
}
