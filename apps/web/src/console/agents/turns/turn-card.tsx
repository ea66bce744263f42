import type { AgentOutcome, AgentTurnRecord } from '@atrium/contract'
import { Badge, Code, Group, Paper, Stack, Text, Tooltip } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { texts } from '../../../text/console.ts'
import { causeInWords } from './agent-state.tsx'
import { answerIn, askedIn, type GivenAnswer } from './turn-text.ts'

const outcomeColours: Record<AgentOutcome, string> = {
  applied: 'teal.9',
  retried: 'yellow',
  fallback: 'red',
  timeout: 'red',
  refused: 'gray',
  budget: 'orange',
}

interface TurnCardProps {
  turn: AgentTurnRecord
  /** The name of the agent in the room. */
  alias: string
}

/** One call of a model: what came of it, what the agent said and did, and behind a click all that was sent. */
export function TurnCard({ turn, alias }: TurnCardProps) {
  const { roomAgents: text, calls, format } = texts()
  const { outcome, askedAt, error } = turn
  const time = format.dateTime(askedAt)
  return (
    <Paper withBorder p="sm" component="article" aria-label={text.turnOf(alias, time)}>
      <Stack gap={6}>
        <Group gap="xs">
          <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {alias}
          </Text>
          <Tooltip label={calls.outcomeMeanings[outcome]}>
            <Badge color={outcomeColours[outcome]} variant="filled" tt="none" size="sm">
              {calls.outcomes[outcome]}
            </Badge>
          </Tooltip>
          <Text size="xs" c="dimmed" className="figure">
            {[time, ...factsOf(turn)].join(' · ')}
          </Text>
        </Group>
        <Answer answer={answerIn(turn)} />
        {error !== null && (
          <Text size="sm" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
            {error}
          </Text>
        )}
        <Asked turn={turn} />
        {turn.reply !== null && <Folded title={text.reply}>{() => <Json value={turn.reply} />}</Folded>}
      </Stack>
    </Paper>
  )
}

function factsOf({ cause, attempt, latencyMs, usage, money }: AgentTurnRecord): string[] {
  const { roomAgents: text, studyAgents, format } = texts()
  return [
    causeInWords(cause),
    ...(attempt > 1 ? [text.attempt(attempt)] : []),
    ...(latencyMs === null ? [] : [format.latency(latencyMs)]),
    ...(usage ? [text.usage(usage.promptTokens, usage.completionTokens)] : []),
    ...(money > 0 ? [studyAgents.cardMoney(format.money(money))] : []),
  ]
}

function Answer({ answer: { message, action, answers, reasoning } }: { answer: GivenAnswer }) {
  const text = texts().roomAgents
  const done = answers
    ? text.answered(
        Object.entries(answers)
          .map(([componentId, value]) => `${componentId} = ${JSON.stringify(value)}`)
          .join(', '),
      )
    : action && ((Object.hasOwn(text.actions, action) ? text.actions[action] : undefined) ?? action)
  const rows: [label: string, value: string | undefined][] = [
    [text.said, message],
    [text.did, done],
    [text.thought, reasoning],
  ]
  const given = rows.filter(([, value]) => value !== undefined)
  if (given.length === 0) return null
  return (
    <dl className="turn-facts">
      {given.map(([label, value]) => (
        <div key={label} style={{ display: 'contents' }}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ whiteSpace: 'pre-wrap' }}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  )
}

function Asked({ turn }: { turn: AgentTurnRecord }) {
  const text = texts().roomAgents
  if (turn.request === null)
    return (
      <Text size="sm" c="dimmed">
        {text.notAskedAtAll}
      </Text>
    )
  return (
    <Folded title={text.request}>
      {() => {
        const { instructions, perception, options, rest } = askedIn(turn)
        const parts: [title: string, value: unknown][] = [
          [text.perception, perception],
          [text.instructions, instructions],
          [text.options, options],
          [text.rest, rest],
        ]
        return (
          <Stack gap="xs">
            {parts
              .filter(([, value]) => value !== undefined)
              .map(([title, value]) => (
                <div key={title}>
                  <Text size="xs" c="dimmed">
                    {title}
                  </Text>
                  <Json value={value} label={title} />
                </div>
              ))}
          </Stack>
        )
      }}
    </Folded>
  )
}

/** Written only once it is opened: a list of turns may hold megabytes. */
function Folded({ title, children }: { title: string; children: () => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="turn-part" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  )
}

/** Text as it is, everything else as indented JSON. A scrolling region must be reachable by keyboard. */
const Json = ({ value, label = texts().roomAgents.reply }: { value: unknown; label?: string }) => (
  <Code block className="turn-json" tabIndex={0} role="region" aria-label={label}>
    {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
  </Code>
)
