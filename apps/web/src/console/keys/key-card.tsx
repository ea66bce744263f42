import type { ApiKey } from '@atrium/contract'
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { texts } from '../../text/console.ts'

interface KeyCardProps {
  apiKey: ApiKey
  /** Names of the experiments that the person sees, by id. */
  experimentNames: ReadonlyMap<string, string>
  now: number
  /** The focus belongs on `opener` again once the dialog is closed. */
  onRevoke: (opener: HTMLElement | null) => void
}

/** What a key may do, and when it was used. */
export function KeyCard({ apiKey, experimentNames, now, onRevoke }: KeyCardProps) {
  const text = texts().keys
  const { name, isOwn, owner, expiresAt } = apiKey
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Group gap="xs" style={{ minWidth: 0 }}>
            <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Title>
            {expiresAt !== null && Date.parse(expiresAt) <= now && (
              <Badge color="red" variant="filled" tt="none">
                {text.expired}
              </Badge>
            )}
            {!isOwn && (
              <Badge color="accent" variant="filled" tt="none">
                {text.ownedBy(owner)}
              </Badge>
            )}
          </Group>
          <Button
            ref={button}
            size="xs"
            variant="outline"
            color="red"
            aria-label={text.revokeName(name)}
            onClick={() => onRevoke(button.current)}
          >
            {text.revoke}
          </Button>
        </Group>
        <Facts apiKey={apiKey} experimentNames={experimentNames} />
      </Stack>
    </Paper>
  )
}

function Facts({ apiKey, experimentNames }: Pick<KeyCardProps, 'apiKey' | 'experimentNames'>) {
  const { keys: text, format } = texts()
  const timeOf = (at: string | null) => (at === null ? text.never : format.dateTime(Date.parse(at)))
  const nameOf = (id: string) => experimentNames.get(id) ?? text.unknownExperiment(id)
  const facts: [label: string, value: ReactNode][] = [
    [text.access, text.accessNames[apiKey.access]],
    [text.experiments, apiKey.experiments?.map(nameOf).join(', ') ?? text.allExperiments],
    [text.created, timeOf(apiKey.createdAt)],
    [text.lastUsed, timeOf(apiKey.lastUsedAt)],
    [text.expires, timeOf(apiKey.expiresAt)],
    [text.id, apiKey.keyId],
  ]
  return (
    <dl className="key-facts">
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
