import type { Credential } from '@atrium/contract'
import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { texts } from '../../text/console.ts'
import { Failure } from '../feedback/failure.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { type CredentialAction, CredentialCard } from './credentials/credential-card.tsx'
import { CredentialDialog } from './credentials/credential-dialog.tsx'
import { maxCredentials, useCredentials } from './credentials/credential-queries.ts'
import { DeleteDialog } from './credentials/delete-dialog.tsx'
import './agents.css'

interface Chosen {
  action: CredentialAction | 'add'
  credential?: Credential
  opener: HTMLElement | null
  /** A new dialog each time: a key that was typed and abandoned must not come back. */
  ordinal: number
  isOpen: boolean
}

/** The model servers that agents of studies may use. */
export default function AgentsPage() {
  const { agents: text, feedback } = texts()
  const { data, error, refetch } = useCredentials()
  const [chosen, setChosen] = useState<Chosen>()
  const addButton = useRef<HTMLButtonElement>(null)
  const open = (next: Pick<Chosen, 'action' | 'credential' | 'opener'>) =>
    setChosen({ ...next, ordinal: (chosen?.ordinal ?? 0) + 1, isOpen: true })
  const close = () => {
    if (chosen) setChosen({ ...chosen, isOpen: false })
    // The dialog was not there before it opened, so it does not know where the focus was. The first server moves the
    // button that adds one, and a deleted one takes its buttons away.
    const target = chosen?.opener?.isConnected ? chosen.opener : addButton.current
    target?.focus({ preventScroll: true })
  }
  const add = (
    <Button ref={addButton} onClick={() => open({ action: 'add', opener: addButton.current })}>
      {text.add}
    </Button>
  )
  return (
    <Stack>
      <PageTitle beside={data && data.length > 0 && add}>{text.title}</PageTitle>
      <Text c="dimmed" maw={720}>
        {text.intro}
      </Text>
      {error && (
        <Failure error={error} onRetry={refetch} title={data ? feedback.outdated : feedback.notLoaded} />
      )}
      {!data && !error && <ListSkeleton />}
      {data?.length === 0 && (
        <NothingHere title={text.empty.title} action={add}>
          {text.empty.message}
        </NothingHere>
      )}
      {data && data.length > 0 && (
        <CredentialList
          credentials={data}
          onAction={(action, credential, opener) => open({ action, credential, opener })}
        />
      )}
      {/* Stays while it closes, so that its content does not vanish before it does. */}
      {chosen && <ChosenDialog key={chosen.ordinal} {...chosen} onClose={close} />}
    </Stack>
  )
}

interface CredentialListProps {
  credentials: Credential[]
  onAction: (action: CredentialAction, credential: Credential, opener: HTMLElement | null) => void
}

function CredentialList({ credentials, onAction }: CredentialListProps) {
  const text = texts().agents
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {text.count(credentials.length)}
        {credentials.length >= maxCredentials && ` ${text.onlyNewest(maxCredentials)}`}
      </Text>
      <Stack component="section" aria-label={text.list}>
        {credentials.map((credential) => (
          <CredentialCard
            key={credential.credentialId}
            credential={credential}
            onAction={(action, opener) => onAction(action, credential, opener)}
          />
        ))}
      </Stack>
    </>
  )
}

function ChosenDialog({ action, credential, isOpen, onClose }: Chosen & { onClose: () => void }) {
  if (action === 'delete')
    return credential && <DeleteDialog credential={credential} isOpen={isOpen} onClose={onClose} />
  return <CredentialDialog credential={credential} isOpen={isOpen} onClose={onClose} />
}

const ListSkeleton = () => (
  <Stack role="status" aria-label={texts().feedback.loading}>
    {[1, 2].map((row) => (
      <Skeleton key={row} height={220} />
    ))}
  </Stack>
)
