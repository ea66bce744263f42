import type { ExperimentAccess } from '@atrium/contract'
import { Badge } from '@mantine/core'
import { accessLabels } from './access.ts'

/** Says whose an experiment is, where it is not one’s own. */
export const AccessBadge = ({ access }: { access: ExperimentAccess }) =>
  access === 'owner' ? null : (
    <Badge color="indigo" variant="filled" tt="none" style={{ flexShrink: 0 }}>
      {accessLabels[access]}
    </Badge>
  )
