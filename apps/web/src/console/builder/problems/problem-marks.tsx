import type { DefinitionFinding } from '@atrium/contract'
import { Badge, Text } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { withCode } from '../form/description.tsx'
import { useFormTools } from '../form/form-tools.tsx'

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

/** What is wrong at a place, where it stands. */
export function ProblemLines({ at }: { at: string }) {
  const findings = useFormTools().findingsAt(at)
  return findings.map(({ level, message }) => (
    <Text
      key={level + message}
      size="sm"
      c={level === 'error' ? 'var(--mantine-color-error)' : 'dimmed'}
      mt={2}
    >
      {level === 'error' ? '✕ ' : '⚠ '}
      {withCode(message)}
    </Text>
  ))
}
