import {
  type ExperimentAccess,
  type ExperimentStatus,
  mayWith,
  type WrittenDefinition,
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
  isPublished: boolean
  /** As its author wrote it. */
  definition: WrittenDefinition
  status: ExperimentStatus
  access: ExperimentAccess
  /** Whether there are changes that are not even stored as a draft. */
  isUnsaved: boolean
  onPublished: () => void
}

export function OverviewTab({
  name,
  definition,
  access,
  isUnsaved,
  onPublished,
  ...experiment
}: OverviewTabProps) {
  const { experimentId, revision, status } = experiment
  const canChange = mayWith(access, 'edit')
  return (
    <Stack gap="xl">
      <StatusSteps
        experiment={experiment}
        canChange={canChange}
        isUnsaved={isUnsaved}
        onPublished={onPublished}
      >
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
