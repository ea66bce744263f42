import type { ProlificConnection } from '@atrium/contract'
import { Alert, Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { texts } from '../../text/console.ts'
import { Failure } from '../feedback/failure.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { DraftForm } from './draft-form.tsx'
import { useConnect, useProlific } from './prolific-queries.ts'
import { Submissions } from './submissions.tsx'

interface ProlificCardProps {
  experimentId: string
  experimentName: string
}

/** The account at Prolific, the studies created with it, and who took part in them. */
export function ProlificCard({ experimentId, experimentName }: ProlificCardProps) {
  const text = texts().recruiting.prolific
  const connection = useProlific(experimentId)
  return (
    <section aria-labelledby="prolific">
      <Title order={2} size="h4" id="prolific" mb="xs">
        {text.title}
      </Title>
      <Text c="dimmed" size="sm" maw={680} mb="sm">
        {text.intro}
      </Text>
      <Loaded query={connection}>
        {(data) => (
          <Stack gap="lg">
            <Connection experimentId={experimentId} connection={data} />
            {data.isConnected && <DraftForm experimentId={experimentId} experimentName={experimentName} />}
            {data.isConnected && <Studies experimentId={experimentId} studies={data.studies} />}
          </Stack>
        )}
      </Loaded>
    </section>
  )
}

function Connection({ experimentId, connection }: { experimentId: string; connection: ProlificConnection }) {
  const text = texts().recruiting.prolific
  const [token, setToken] = useState('')
  const change = useConnect(experimentId)
  const connect = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(token.trim(), { onSuccess: () => setToken('') })
  }
  return (
    <Stack gap="sm" maw={560}>
      {connection.isConnected ? (
        <Group justify="space-between">
          <Text size="sm">{text.connected(connection.tokenHint)}</Text>
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate(null)}>
            {text.disconnect}
          </Button>
        </Group>
      ) : (
        <form onSubmit={connect}>
          <Stack gap="sm">
            <PasswordInput
              label={text.token}
              description={text.tokenHint}
              value={token}
              required
              minLength={8}
              autoComplete="off"
              onChange={(event) => setToken(event.currentTarget.value)}
            />
            <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
              {text.connect}
            </Button>
          </Stack>
        </form>
      )}
      {connection.isConnected && !connection.isTokenReadable && <Alert color="red">{text.unreadable}</Alert>}
      {change.error && <Failure error={change.error} title={text.failed} />}
    </Stack>
  )
}

function Studies({
  experimentId,
  studies,
}: Pick<ProlificConnection, 'studies'> & Pick<ProlificCardProps, 'experimentId'>) {
  const text = texts().recruiting.studies
  const [chosen, setChosen] = useState<string>()
  const study = studies.find(({ studyId }) => studyId === chosen)
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {text.title}
      </Title>
      {studies.length === 0 && <NothingHere title={text.none}>{text.noneMessage}</NothingHere>}
      {studies.map(({ studyId, name, createdAt }) => (
        <Group key={studyId} justify="space-between" maw={760}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {name} · {texts().format.dateTime(Date.parse(createdAt))}
          </Text>
          <Button variant="default" onClick={() => setChosen(studyId)} aria-label={text.showLabel(name)}>
            {text.show}
          </Button>
        </Group>
      ))}
      {study && (
        <Submissions
          key={study.studyId}
          experimentId={experimentId}
          studyId={study.studyId}
          name={study.name}
        />
      )}
    </Stack>
  )
}
