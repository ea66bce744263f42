import type { ExperimentStatus } from '@atrium/contract'
import { Badge } from '@mantine/core'
import { statusColours } from './status.ts'

export const StatusBadge = ({ status }: { status: ExperimentStatus }) => (
  <Badge color={statusColours[status]} variant="filled" tt="none" style={{ flexShrink: 0 }}>
    {status}
  </Badge>
)
