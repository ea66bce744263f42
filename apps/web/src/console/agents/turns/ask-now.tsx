import { Button } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { notifyDone, notifyFailed } from '../../feedback/notify.ts'
import { useAskAgent } from './turn-queries.ts'

interface AskNowProps {
  roomId: string
  participantId: string
  alias: string
}

/** Harmless, so it asks for no confirmation: the agent may still decide to do nothing. */
export function AskNow({ roomId, participantId, alias }: AskNowProps) {
  const text = texts().roomAgents
  const ask = useAskAgent(roomId)
  const askNow = () =>
    ask.mutate(participantId, {
      onSuccess: () => notifyDone(text.asked(alias)),
      onError: (error) => notifyFailed(text.notAsked, error),
    })
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={ask.isPending}
      aria-label={text.askNowName(alias)}
      onClick={askNow}
    >
      {text.askNow}
    </Button>
  )
}
