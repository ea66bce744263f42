import { type Share, shareRoutes } from '@atrium/contract'
import { Button, Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { texts } from '../../text/console.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { NothingHere } from '../feedback/nothing-here.tsx'
import { notifyDone, notifyFailed } from '../feedback/notify.ts'
import { useApi } from '../session/session.ts'
import { ShareForm } from './share-form.tsx'
import { accessChoices, accessNamed, withAccess, without } from './share-list.ts'

/** The people whom the owner has given access, and what they may do. */
export function SharingTab({ experimentId }: { experimentId: string }) {
  const shares = useShares(experimentId)
  return (
    <section aria-labelledby="sharing">
      <Title order={2} size="h4" id="sharing" mb="xs">
        {texts().sharing.title}
      </Title>
      <Text c="dimmed" maw={680} mb="md">
        {texts().sharing.intro}
      </Text>
      <Loaded query={shares}>{(data) => <ShareList experimentId={experimentId} shares={data} />}</Loaded>
    </section>
  )
}

function ShareList({ experimentId, shares }: { experimentId: string; shares: Share[] }) {
  const text = texts().sharing
  const replace = useReplaceShares(experimentId)
  const save = (next: Share[], done: string, onSaved?: () => void) =>
    replace.mutate(next, {
      onSuccess: () => {
        notifyDone(done)
        onSaved?.()
      },
      onError: (error) => notifyFailed(text.notChanged, error),
    })
  return (
    <Stack maw={760}>
      <ShareForm
        shares={shares}
        isBusy={replace.isPending}
        onShare={(share, onSaved) => save([...shares, share], text.shared(share.user), onSaved)}
      />
      {shares.length === 0 && <NothingHere title={text.none}>{text.noneMessage}</NothingHere>}
      {shares.map((share) => (
        <SharedWith
          key={share.user}
          share={share}
          isBusy={replace.isPending}
          onChange={(changed) => save(withAccess(shares, changed), text.changed(share.user))}
          onRemove={() => save(without(shares, share.user), text.removed(share.user))}
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
  const text = texts().sharing
  const { user, access } = share
  return (
    <Paper withBorder p="sm">
      <Group gap="sm">
        <Text fw={600} style={{ flex: '1 1 180px', minWidth: 0, overflowWrap: 'anywhere' }}>
          {user}
        </Text>
        <NativeSelect
          aria-label={text.accessOf(user)}
          data={accessChoices()}
          value={access}
          disabled={isBusy}
          onChange={(event) => onChange({ user, access: accessNamed(event.currentTarget.value) })}
        />
        <Button
          variant="outline"
          color="red"
          disabled={isBusy}
          aria-label={text.removeLabel(user)}
          onClick={onRemove}
        >
          {text.remove}
        </Button>
      </Group>
    </Paper>
  )
}

const keyOf = (experimentId: string) => ['experiments', experimentId, 'shares']

function useShares(experimentId: string) {
  const api = useApi()
  return useQuery({
    queryKey: keyOf(experimentId),
    queryFn: async ({ signal }) =>
      (await api.call(shareRoutes.read, { params: { experimentId }, signal })).shares,
  })
}

function useReplaceShares(experimentId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (shares: Share[]) =>
      api.call(shareRoutes.replace, { params: { experimentId }, body: { shares } }),
    onSuccess: ({ shares }) => queryClient.setQueryData(keyOf(experimentId), shares),
    // After a refusal, show what the platform has.
    onError: () => queryClient.invalidateQueries({ queryKey: keyOf(experimentId) }),
  })
}
