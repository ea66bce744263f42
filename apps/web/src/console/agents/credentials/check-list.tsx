import { type CredentialTest, type ModelCheck, type ModelCheckName, modelCheckNames } from '@atrium/contract'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { asSentence } from '../../feedback/findings.ts'

type CheckState = keyof ReturnType<typeof texts>['credentialTest']['states']

const looks: Record<CheckState, { color?: string; variant: 'filled' | 'default' }> = {
  passed: { color: 'teal.9', variant: 'filled' },
  failed: { color: 'red', variant: 'filled' },
  warning: { color: 'yellow', variant: 'filled' },
  running: { variant: 'default' },
  notMade: { variant: 'default' },
}

interface CheckListProps {
  name: string
  /** Undefined while the test runs: the server reports all checks at once. */
  test: CredentialTest | undefined
}

/** The four checks of a model server, in their order. */
export function CheckList({ name, test }: CheckListProps) {
  return (
    <Stack component="ol" gap="sm" p={0} m={0} aria-label={texts().credentialTest.checks(name)}>
      {modelCheckNames.map((check) => (
        <CheckRow
          key={check}
          name={check}
          isRunning={test === undefined}
          check={test?.checks.find((made) => made.name === check)}
        />
      ))}
    </Stack>
  )
}

interface CheckRowProps {
  name: ModelCheckName
  isRunning: boolean
  check: ModelCheck | undefined
}

function CheckRow({ name, isRunning, check }: CheckRowProps) {
  const text = texts().credentialTest
  const state = check ? stateOf(check) : isRunning ? 'running' : 'notMade'
  const figures = Object.entries(check?.figures ?? {}).map(([figure, value]) => {
    const known = Object.hasOwn(text.figures, figure) ? text.figures[figure] : undefined
    return known?.(value) ?? text.otherFigure(figure, value)
  })
  return (
    <li style={{ listStyle: 'none', overflowWrap: 'anywhere' }}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {text.names[name]}
        </Text>
        <Badge size="sm" tt="none" {...looks[state]}>
          {text.states[state]}
        </Badge>
      </Group>
      {check && <Text size="sm">{asSentence(check.message)}</Text>}
      {state === 'notMade' && (
        <Text size="sm" c="dimmed">
          {text.notMade}
        </Text>
      )}
      {check?.warning !== undefined && <Text size="sm">⚠ {text.warning(check.warning)}</Text>}
      {figures.length > 0 && (
        <Text size="sm" c="dimmed" className="figure">
          {figures.join(' · ')}
        </Text>
      )}
    </li>
  )
}

const stateOf = ({ ok, warning }: ModelCheck): CheckState =>
  ok ? (warning === undefined ? 'passed' : 'warning') : 'failed'
