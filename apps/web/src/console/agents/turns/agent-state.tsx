import type { AgentReport } from '@atrium/contract'
import { Badge, Text } from '@mantine/core'
import { texts } from '../../../text/console.ts'

export const AgentBadge = ({ name }: { name: string }) => (
  <Badge color="grape" variant="filled" tt="none" maw="100%">
    {texts().roomAgents.named(name)}
  </Badge>
)

export const PilotBadge = () => (
  <Badge color="grape" variant="outline" tt="none">
    {texts().roomAgents.pilot}
  </Badge>
)

interface AgentStateProps {
  agent: AgentReport
  /** When the report was read. */
  now: number
}

/** What an agent does next, and what it has used so far. */
export function AgentState({ agent: { pending, used }, now }: AgentStateProps) {
  const { roomAgents: text, format } = texts()
  const cause = pending && causeInWords(pending.cause)
  const next = !pending
    ? text.idle
    : pending.dueAt > now
      ? text.due(cause ?? '', format.duration(pending.dueAt - now))
      : text.dueNow(cause ?? '')
  return (
    <Text size="xs" c="dimmed" className="figure">
      {next} · {text.used(used.calls, used.tokens, used.money)}
    </Text>
  )
}

/** A newer server may know causes that this page does not. */
export function causeInWords(cause: string): string {
  const { causes } = texts().roomAgents
  return (Object.hasOwn(causes, cause) ? causes[cause] : undefined) ?? cause
}
