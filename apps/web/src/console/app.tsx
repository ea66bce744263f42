import { Anchor, Button, Stack, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link, Redirect, Route, Router, Switch } from 'wouter'
import { RescueBoundary } from '../rescue/rescue-boundary.tsx'
import { ExperimentPage } from './experiments/experiment-page.tsx'
import { ExperimentsPage } from './experiments/experiments-page.tsx'
import { PageSkeleton } from './feedback/page-skeleton.tsx'
import { PageTitle } from './feedback/page-title.tsx'
import { RoomPage } from './rooms/room-page.tsx'
import { SessionGate } from './session/session-gate.tsx'
import { ConsoleShell } from './shell/console-shell.tsx'
import { LeaveGuard } from './shell/leave-guard.tsx'
import { SystemPage } from './system/system-page.tsx'

// The editor brings the whole component catalogue along; a list of experiments does not need it.
const NewExperimentPage = lazy(() => import('./experiments/new-experiment-page.tsx'))

export function App() {
  return (
    <SessionGate>
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
    </SessionGate>
  )
}

/** Most often a part that is loaded late and that a newer version no longer has. */
const BrokenPage = () => (
  <Stack align="flex-start">
    <PageTitle>This page has failed</PageTitle>
    <Text>A new version may have been installed meanwhile. Nothing that was saved is lost.</Text>
    <Button onClick={() => location.reload()}>Load the page again</Button>
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
      <Route path="/system">
        <SystemPage />
      </Route>
      <Route path="/experiments">
        <Redirect to="/" replace />
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
          <PageTitle>There is no such page</PageTitle>
          <Text>The address may be mistyped, or from an older version of the console.</Text>
          <Anchor component={Link} href="/">
            To the experiments
          </Anchor>
        </Stack>
      </Route>
    </Switch>
  )
}
