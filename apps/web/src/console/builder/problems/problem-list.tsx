import type { DefinitionFinding } from '@atrium/contract'
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { withCode } from '../form/description.tsx'
import { placeInWords } from './place-in-words.ts'

interface ProblemListProps {
  document: unknown
  findings: readonly DefinitionFinding[]
  /** Good to know, and nothing to correct. */
  notes: readonly DefinitionFinding[]
  /** Whether they are about the present document. */
  state: 'checking' | 'checked' | 'failed'
  onRetry: () => void
  onGo: (at: string) => void
}

const shownAtFirst = 5

/** Everything that is wrong, each with the way to it. */
export function ProblemList({ document, findings, notes, state, onRetry, onGo }: ProblemListProps) {
  const [isWhole, setWhole] = useState(false)
  const text = texts().builder.problems
  const errors = findings.filter(({ level }) => level === 'error').length
  const summary = [
    ...(errors > 0 ? [text.errors(errors)] : []),
    ...(findings.length > errors ? [text.warnings(findings.length - errors)] : []),
  ]
  const shown = isWhole ? findings : findings.slice(0, shownAtFirst)
  return (
    <Paper withBorder p="sm" component="section" aria-label={text.label}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600} size="sm" role="status">
          {state === 'checked' ? summary.join('; ') || texts().findings.none : texts().findings[state]}
        </Text>
        {state === 'failed' && (
          <Button variant="default" size="xs" onClick={onRetry}>
            {texts().findings.again}
          </Button>
        )}
      </Group>
      {findings.length > 0 && (
        <Stack component="ul" gap={4} p={0} m={0} mt="xs" style={{ listStyle: 'none' }}>
          {shown.map(({ level, path, message }) => (
            <li key={level + path + message} className="builder-problem">
              <Badge
                size="sm"
                variant="filled"
                color={level === 'error' ? 'red.9' : 'yellow'}
                tt="none"
                miw={60}
              >
                {texts().findings.levels[level]}
              </Badge>
              <div style={{ flex: 1, minWidth: 0 }}>
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {placeInWords(document, path)}
                </Text>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {withCode(message)}
                </Text>
              </div>
              <Button
                size="compact-sm"
                variant="light"
                style={{ flexShrink: 0 }}
                aria-label={text.goTo(message)}
                onClick={() => onGo(path)}
              >
                {text.go}
              </Button>
            </li>
          ))}
        </Stack>
      )}
      {findings.length > shown.length && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(true)}>
          {text.showAll(findings.length)}
        </Button>
      )}
      {notes.map(({ path, message }) => (
        <Text key={path + message} size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          <Badge size="sm" variant="light" color="gray" tt="none" mr="xs">
            {texts().findings.levels.note}
          </Badge>
          {message}
        </Text>
      ))}
    </Paper>
  )
}
