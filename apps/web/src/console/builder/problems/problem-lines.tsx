import { Text } from '@mantine/core'
import { useFormTools } from '../form/form-tools.tsx'
import { withCode } from '../form/with-code.tsx'

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
