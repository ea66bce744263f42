import type { DefinitionFinding } from '@atrium/contract'
import { Badge } from '@mantine/core'
import { texts } from '../../../text/console.ts'

/** How many problems there are, by colour and in words. */
export function ProblemBadge({ findings }: { findings: readonly DefinitionFinding[] }) {
  if (findings.length === 0) return null
  const errors = findings.filter(({ level }) => level === 'error').length
  const text = texts().builder.problems
  return (
    <Badge
      size="sm"
      variant="filled"
      color={errors > 0 ? 'red' : 'yellow'}
      tt="none"
      style={{ flexShrink: 0 }}
      aria-label={errors > 0 ? text.errors(errors) : text.warnings(findings.length)}
      role="img"
    >
      {errors > 0 ? errors : findings.length}
    </Badge>
  )
}
