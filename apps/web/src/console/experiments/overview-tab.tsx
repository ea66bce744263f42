import { type ExperimentAccess, type ExperimentStatus, mayWith } from '@atrium/contract'
import { Stack, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { ActivityPanel } from './activity-panel.tsx'
import { LiveFigures } from './live-figures.tsx'
import { ParticipantLinks } from './participant-links.tsx'
import { StatusSteps } from './status-steps.tsx'

interface OverviewTabProps {
  experimentId: string
  status: ExperimentStatus
  access: ExperimentAccess
}

export function OverviewTab({ experimentId, status, access }: OverviewTabProps) {
  return (
    <Stack gap="xl">
      <StatusSteps experimentId={experimentId} status={status} canChange={mayWith(access, 'edit')} />
      <section aria-labelledby="figures">
        <Title order={2} size="h4" id="figures" mb="sm">
          {texts().figures.title}
        </Title>
        <LiveFigures experimentId={experimentId} />
      </section>
      <ActivityPanel experimentId={experimentId} />
      <ParticipantLinks experimentId={experimentId} status={status} />
    </Stack>
  )
}
