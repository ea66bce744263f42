import type { Share } from '@atrium/contract'
import { Button, Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { Loaded } from '../feedback/loaded.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { ShareForm } from './share-form.tsx'
import { withAccess, without } from './share-list.ts'
import { useReplaceShares, useShares } from './share-queries.ts'
import { accessChoices, accessNamed } from './share-words.ts'

/** Whom the owner lets in, and how far. */
export function SharingTab({ experimentId }: { experimentId: string }) {
  const shares = useShares(experimentId)
  return (
    <section aria-labelledby="sharing">
      <Title order={2} size="h4" id="sharing" mb="xs">
        Sharing
      </Title>
      <Text c="dimmed" maw={680} mb="md">
        Only you and the administrators can see this experiment, its rooms and its data. Whoever you share it
        with finds it in their list of experiments.
      </Text>
      <Loaded query={shares}>{(data) => <ShareList experimentId={experimentId} shares={data} />}</Loaded>
    </section>
  )
}

function ShareList({ experimentId, shares }: { experimentId: string; shares: Share[] }) {
  const replace = useReplaceShares(experimentId)
  const save = (next: Share[], done: string, onSaved?: () => void) =>
    replace.mutate(next, {
      onSuccess: () => {
        notifyDone(done)
        onSaved?.()
      },
      onError: (error) => notifyFailed('The list was not changed', error),
    })
  return (
    <Stack maw={760}>
      <ShareForm
        shares={shares}
        isBusy={replace.isPending}
        onShare={(share, onSaved) => save([...shares, share], `Shared with ${share.user}.`, onSaved)}
      />
      {shares.length === 0 && (
        <NothingHere title="Not shared with anyone">
          Add colleagues who should see the rooms and the data, or help to run the study.
        </NothingHere>
      )}
      {shares.map((share) => (
        <SharedWith
          key={share.user}
          share={share}
          isBusy={replace.isPending}
          onChange={(changed) => save(withAccess(shares, changed), `${share.user}: changed.`)}
          onRemove={() => save(without(shares, share.user), `No longer shared with ${share.user}.`)}
        />
      ))}
    </Stack>
  )
}

interface SharedWithProps {
  share: Share
  isBusy: boolean
  onChange: (share: Share) => void
  onRemove: () => void
}

function SharedWith({ share, isBusy, onChange, onRemove }: SharedWithProps) {
  const { user, access } = share
  return (
    <Paper withBorder p="sm">
      <Group gap="sm">
        <Text fw={600} style={{ flex: '1 1 180px', minWidth: 0, overflowWrap: 'anywhere' }}>
          {user}
        </Text>
        <NativeSelect
          aria-label={`What ${user} may do`}
          data={accessChoices}
          value={access}
          disabled={isBusy}
          onChange={(event) => onChange({ user, access: accessNamed(event.currentTarget.value) })}
        />
        <Button
          variant="outline"
          color="red"
          disabled={isBusy}
          aria-label={`Stop sharing with ${user}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      </Group>
    </Paper>
  )
}
