import {
  type ExperimentAccess,
  type ExperimentDefinition,
  type ExperimentStatus,
  mayWith,
} from '@atrium/contract'
import { Stack, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { LaunchChecklist } from '../launch/launch-checklist.tsx'
import { ActivityPanel } from './activity-panel.tsx'
import { DeleteStudy } from './delete-study.tsx'
import { LiveFigures } from './live-figures.tsx'
import { ParticipantLinks } from './participant-links.tsx'
import { StatusSteps } from './status-steps.tsx'

interface OverviewTabProps {
  experimentId: string
  name: string
  revision: number
  definition: ExperimentDefinition
  status: ExperimentStatus
  access: ExperimentAccess
}

export function OverviewTab({ experimentId, name, revision, definition, status, access }: OverviewTabProps) {
  const canChange = mayWith(access, 'edit')
  return (
    <Stack gap="xl">
      <StatusSteps experimentId={experimentId} status={status} canChange={canChange}>
        {status === 'draft' && mayWith(access, 'owner') && (
          <DeleteStudy experimentId={experimentId} name={name} />
        )}
      </StatusSteps>
      {canChange && (status === 'draft' || status === 'paused') && (
        <LaunchChecklist experimentId={experimentId} revision={revision} definition={definition} />
      )}
      <ParticipantLinks experimentId={experimentId} status={status} />
      <section aria-labelledby="figures">
        <Title order={2} size="h4" id="figures" mb="sm">
          {texts().figures.title}
        </Title>
        <LiveFigures experimentId={experimentId} />
      </section>
      <ActivityPanel experimentId={experimentId} />
    </Stack>
  )
}
