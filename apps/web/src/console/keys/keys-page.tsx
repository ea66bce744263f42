import type { ApiKey } from '@atrium/contract'
import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { texts } from '../../text/console.ts'
import { useExperiments } from '../experiments/experiment-queries.ts'
import { Failure } from '../feedback/failure.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { PageTitle } from '../feedback/page-title.tsx'
import { KeyCard } from './key-card.tsx'
import { maxKeys, useKeys } from './key-queries.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import './keys.css'

interface Chosen {
  /** To be revoked; undefined to create one. */
  apiKey?: ApiKey
  opener: HTMLElement | null
  /** A new dialog each time: a key that was shown must not come back. */
  ordinal: number
  isOpen: boolean
}

/** The credentials of the researcher’s own scripts. */
export default function KeysPage() {
  const { keys: text, feedback } = texts()
  const { data, error, refetch } = useKeys()
  const [chosen, setChosen] = useState<Chosen>()
  const createButton = useRef<HTMLButtonElement>(null)
  const open = (next: Pick<Chosen, 'apiKey' | 'opener'>) =>
    setChosen({ ...next, ordinal: (chosen?.ordinal ?? 0) + 1, isOpen: true })
  const close = () => {
    if (chosen) setChosen({ ...chosen, isOpen: false })
    // The first key moves the button that creates one, and a revoked one takes its button away.
    const target = chosen?.opener?.isConnected ? chosen.opener : createButton.current
    target?.focus({ preventScroll: true })
  }
  const create = (
    <Button ref={createButton} onClick={() => open({ opener: createButton.current })}>
      {text.create}
    </Button>
  )
  return (
    <Stack>
      <PageTitle beside={data && data.length > 0 && create}>{text.title}</PageTitle>
      <Text c="dimmed" maw={720}>
        {text.intro}
      </Text>
      {error && (
        <Failure error={error} onRetry={refetch} title={data ? feedback.outdated : feedback.notLoaded} />
      )}
      {!data && !error && <ListSkeleton />}
      {data?.length === 0 && (
        <NothingHere title={text.empty.title} action={create}>
          {text.empty.message}
        </NothingHere>
      )}
      {data && data.length > 0 && (
        <KeyList keys={data} onRevoke={(apiKey, opener) => open({ apiKey, opener })} />
      )}
      {/* Stays while it closes, so that its content does not vanish before it does. */}
      {chosen && <ChosenDialog key={chosen.ordinal} {...chosen} onClose={close} />}
    </Stack>
  )
}

interface KeyListProps {
  keys: ApiKey[]
  onRevoke: (apiKey: ApiKey, opener: HTMLElement | null) => void
}

function KeyList({ keys, onRevoke }: KeyListProps) {
  const text = texts().keys
  const { data: experiments } = useExperiments()
  const experimentNames = new Map((experiments ?? []).map(({ experimentId, name }) => [experimentId, name]))
  const now = Date.now()
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {text.count(keys.length)}
        {keys.length >= maxKeys && ` ${text.onlyNewest(maxKeys)}`}
      </Text>
      <Stack component="section" aria-label={text.list}>
        {keys.map((apiKey) => (
          <KeyCard
            key={apiKey.keyId}
            apiKey={apiKey}
            experimentNames={experimentNames}
            now={now}
            onRevoke={(opener) => onRevoke(apiKey, opener)}
          />
        ))}
      </Stack>
    </>
  )
}

function ChosenDialog({ apiKey, isOpen, onClose }: Chosen & { onClose: () => void }) {
  return apiKey ? (
    <RevokeDialog apiKey={apiKey} isOpen={isOpen} onClose={onClose} />
  ) : (
    <NewKeyDialog isOpen={isOpen} onClose={onClose} />
  )
}

const ListSkeleton = () => (
  <Stack role="status" aria-label={texts().feedback.loading}>
    {[1, 2].map((row) => (
      <Skeleton key={row} height={140} />
    ))}
  </Stack>
)
