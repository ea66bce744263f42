import type { Credential } from '@atrium/contract'
import { Alert, Badge, Button, Collapse, CopyButton, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useRef, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { ExperimentUses } from '../../feedback/experiment-uses.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { CallPanel, panelHeight, RangeControl, usualMinutes } from '../figures/call-panel.tsx'
import { CredentialCheck } from './credential-check.tsx'
import { useCredentialFigures, useCredentialTest } from './credential-queries.ts'

export type CredentialAction = 'change' | 'delete'

interface CredentialCardProps {
  credential: Credential
  /** The focus belongs on `opener` again once the dialog of the action is closed. */
  onAction: (action: CredentialAction, opener: HTMLElement | null) => void
}

/** A model server: where it is, whether it works, who uses it and what it costs. */
export function CredentialCard({ credential, onAction }: CredentialCardProps) {
  const text = texts().agents
  const { name, isOwn, isKeyReadable, usedBy, credentialId } = credential
  const test = useCredentialTest(credentialId)
  const [isOpen, { toggle }] = useDisclosure()
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Group gap="xs" style={{ minWidth: 0 }}>
            <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            {!isOwn && (
              <Badge color="accent" variant="filled" tt="none">
                {text.someoneElses}
              </Badge>
            )}
          </Group>
          <Actions
            name={name}
            canTest={isKeyReadable && test.startedAt === undefined}
            onTest={test.start}
            onAction={onAction}
          />
        </Group>
        <Facts credential={credential} />
        {!isKeyReadable && (
          <Alert color="red" title={text.unreadableTitle}>
            {text.unreadable}
          </Alert>
        )}
        <CredentialCheck credential={credential} test={test} />
        <ExperimentUses usedBy={usedBy} />
        <div>
          <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={isOpen}>
            {isOpen ? text.hideFigures : text.showFigures}
          </Button>
          <Collapse expanded={isOpen}>{isOpen && <CredentialCalls credentialId={credentialId} />}</Collapse>
        </div>
      </Stack>
    </Paper>
  )
}

interface ActionsProps {
  name: string
  canTest: boolean
  onTest: () => void
  onAction: CredentialCardProps['onAction']
}

function Actions({ name, canTest, onTest, onAction }: ActionsProps) {
  const { agents: text, credentialTest } = texts()
  const changeButton = useRef<HTMLButtonElement>(null)
  const deleteButton = useRef<HTMLButtonElement>(null)
  return (
    <Group gap="xs">
      <Button size="xs" disabled={!canTest} aria-label={credentialTest.startName(name)} onClick={onTest}>
        {credentialTest.start}
      </Button>
      <Button
        ref={changeButton}
        size="xs"
        variant="default"
        aria-label={text.changeName(name)}
        onClick={() => onAction('change', changeButton.current)}
      >
        {text.change}
      </Button>
      <Button
        ref={deleteButton}
        size="xs"
        variant="outline"
        color="red"
        aria-label={text.deleteName(name)}
        onClick={() => onAction('delete', deleteButton.current)}
      >
        {text.delete}
      </Button>
    </Group>
  )
}

function Facts({ credential }: { credential: Credential }) {
  const { agents: text, format } = texts()
  const { model, baseUrl, keyHint, timeoutMs, credentialId, name } = credential
  const facts: [label: string, value: ReactNode][] = [
    [text.model, model],
    [text.server, baseUrl],
    [text.key, text.keyHint(keyHint)],
    [text.timeout, format.duration(timeoutMs)],
    [text.id, <CredentialId key="id" credentialId={credentialId} name={name} />],
  ]
  return (
    <dl className="credential-facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" size="sm" m={0}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  )
}

/** What a definition names. */
function CredentialId({ credentialId, name }: Pick<Credential, 'credentialId' | 'name'>) {
  const text = texts().agents
  return (
    <>
      {credentialId}{' '}
      <CopyButton value={credentialId} timeout={2_000}>
        {({ copied, copy }) => (
          <Button variant="subtle" size="compact-xs" aria-label={text.copyId(name)} onClick={copy}>
            {copied ? text.copied : text.copy}
          </Button>
        )}
      </CopyButton>
    </>
  )
}

/** What was asked of a model server, in all studies and pilots. */
function CredentialCalls({ credentialId }: { credentialId: string }) {
  const [minutes, setMinutes] = useState<number>(usualMinutes)
  const figures = useCredentialFigures(credentialId, minutes)
  return (
    <Stack gap="sm" mt="sm">
      <Group>
        <RangeControl minutes={minutes} onChange={setMinutes} />
      </Group>
      <Loaded query={figures} skeletonHeight={panelHeight}>
        {(data) => (
          <CallPanel
            counted={{ window: data, figures: data }}
            minutes={minutes}
            now={figures.dataUpdatedAt}
          />
        )}
      </Loaded>
    </Stack>
  )
}
