import { Badge, Button, Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { texts } from '../../text/console.ts'
import type { Finding } from './check-text.ts'

interface FindingsListProps {
  findings: Finding[]
  /** Whether they are about the present text. */
  state: 'checking' | 'checked' | 'failed'
  onRetry: () => void
  onChoose: (finding: Finding) => void
}

const maxShown = 50

export function FindingsList({ findings, state, onRetry, onChoose }: FindingsListProps) {
  const errors = findings.filter(({ level }) => level === 'error').length
  return (
    <Paper withBorder p="sm">
      <Text fw={600} role="status">
        {state === 'checked' ? summaryOf(errors, findings.length - errors) : texts().findings[state]}
      </Text>
      {state === 'failed' && (
        <Button variant="default" size="xs" mt="xs" onClick={onRetry}>
          {texts().findings.again}
        </Button>
      )}
      {findings.length > 0 && (
        <Stack
          component="ul"
          gap={2}
          p={0}
          m={0}
          mt="xs"
          mah={260}
          style={{ overflowY: 'auto', listStyle: 'none' }}
        >
          {findings.slice(0, maxShown).map((finding) => (
            <li key={finding.level + finding.path + finding.message}>
              <FindingButton finding={finding} onChoose={onChoose} />
            </li>
          ))}
          {findings.length > maxShown && (
            <Text component="li" size="sm" c="dimmed">
              {texts().findings.more(findings.length - maxShown)}
            </Text>
          )}
        </Stack>
      )}
    </Paper>
  )
}

function summaryOf(errors: number, warnings: number): string {
  const text = texts().findings
  const parts = [
    ...(errors > 0 ? [text.errors(errors)] : []),
    ...(warnings > 0 ? [text.warnings(warnings)] : []),
  ]
  return parts.join('; ') || text.none
}

function FindingButton({ finding, onChoose }: { finding: Finding; onChoose: (finding: Finding) => void }) {
  const { level, path, message, line, column } = finding
  return (
    <UnstyledButton onClick={() => onChoose(finding)} w="100%" py={4} px={4}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Badge
          color={level === 'error' ? 'red' : 'yellow'}
          variant="filled"
          size="sm"
          tt="none"
          miw={76}
          mt={2}
          style={{ flexShrink: 0 }}
        >
          {texts().findings.levels[level]}
        </Badge>
        <div style={{ minWidth: 0 }}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {texts().findings.place(line, column)}
            {path !== '' && ` · ${path}`}
          </Text>
        </div>
      </Group>
    </UnstyledButton>
  )
}
