import type { Credential } from '@atrium/contract'
import { Badge, Button, Collapse, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { Failure } from '../../feedback/failure.tsx'
import { RunningWork } from '../../feedback/running-work.tsx'
import { CheckList } from './check-list.tsx'
import type { useCredentialTest } from './credential-queries.ts'

interface CredentialCheckProps {
  credential: Credential
  test: ReturnType<typeof useCredentialTest>
}

/** How the last test of a model server went, or that one is under way. */
export function CredentialCheck({ credential, test }: CredentialCheckProps) {
  const text = texts().credentialTest
  const { name, lastTest } = credential
  // What has failed, and what was tested just now, needs no click.
  const [isOpen, setIsOpen] = useState<boolean>()
  const isShown = isOpen ?? (test.isDone || lastTest?.ok === false)
  if (test.startedAt !== undefined)
    return <RunningTest name={name} startedAt={test.startedAt} onStop={test.stop} />
  return (
    <Stack gap="xs">
      {test.error && <Failure error={test.error} title={text.failed} onRetry={test.start} />}
      <Group gap="xs" role="status">
        <Verdict {...credential} />
        {lastTest && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isShown}
            onClick={() => setIsOpen(!isShown)}
          >
            {isShown ? text.hide : text.show}
          </Button>
        )}
      </Group>
      {lastTest && (
        <Collapse expanded={isShown}>
          <CheckList name={name} test={lastTest} />
        </Collapse>
      )}
    </Stack>
  )
}

function Verdict({ lastTest, lastTestedAt }: Credential) {
  const { credentialTest: text, format } = texts()
  if (!lastTest || lastTestedAt === null)
    return (
      <Badge variant="default" tt="none">
        {text.never}
      </Badge>
    )
  const ago = format.ago(Date.parse(lastTestedAt), Date.now())
  const warnings = lastTest.checks.filter(({ warning }) => warning !== undefined).length
  return (
    <>
      <Badge color={lastTest.ok ? 'teal.9' : 'red'} variant="filled" tt="none">
        {lastTest.ok ? text.passed(ago) : text.failedAgo(ago)}
      </Badge>
      {warnings > 0 && (
        <Badge color="yellow" variant="filled" tt="none">
          {text.warnings(warnings)}
        </Badge>
      )}
    </>
  )
}

interface RunningTestProps {
  name: string
  startedAt: number
  onStop: () => void
}

function RunningTest({ name, startedAt, onStop }: RunningTestProps) {
  const text = texts().credentialTest
  return (
    <Stack gap="xs">
      <RunningWork
        startedAt={startedAt}
        status={text.running}
        elapsed={text.elapsed}
        label={text.progressOf(name)}
      />
      <Text size="sm" c="dimmed">
        {text.runningHint}
      </Text>
      <CheckList name={name} test={undefined} />
      <Group>
        <Button variant="default" size="xs" onClick={onStop}>
          {text.stop}
        </Button>
      </Group>
    </Stack>
  )
}
