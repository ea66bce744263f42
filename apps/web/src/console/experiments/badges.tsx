import type { ExperimentAccess, ExperimentStatus } from '@atrium/contract'
import { Badge } from '@mantine/core'
import { texts } from '../../text/console.ts'

const statusColours: Record<ExperimentStatus, string> = {
  draft: 'gray',
  recruiting: 'teal.9',
  paused: 'yellow',
  closed: 'accent',
  archived: 'dark',
}

export const StatusBadge = ({ status }: { status: ExperimentStatus }) => (
  <Badge color={statusColours[status]} variant="filled" tt="none" style={{ flexShrink: 0 }}>
    {texts().status.names[status]}
  </Badge>
)

/** Says whose experiment it is, unless it is one’s own. */
export const AccessBadge = ({ access }: { access: ExperimentAccess }) =>
  access === 'owner' ? null : (
    <Badge color="accent" variant="filled" tt="none" style={{ flexShrink: 0 }}>
      {texts().access.labels[access]}
    </Badge>
  )
