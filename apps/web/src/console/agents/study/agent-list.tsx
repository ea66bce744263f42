import { type AgentFigures, agentOutcomes } from '@atrium/contract'
import { Badge, Group, Text, Tooltip } from '@mantine/core'
import { texts } from '../../../text/console.ts'
import { RowTable } from '../../feedback/row-table.tsx'

type AgentRow = AgentFigures['agents'][number]

interface AgentListProps {
  agents: AgentRow[]
  /** When the figures were read. */
  now: number
  /** A pilot may play an agent of the study with another provider, and bring agents of its own. */
  isPilot: boolean
}

/** What each agent did, in numbers. */
export function AgentList({ agents, now, isPilot }: AgentListProps) {
  const { studyAgents: text, format, feedback } = texts()
  const { columns } = text
  const tokensOf = ({ promptTokens, completionTokens }: AgentRow) => promptTokens + completionTokens
  const moneyOf = ({ money }: AgentRow) => (money === 0 ? feedback.none : format.money(money))
  return (
    <RowTable
      rows={agents}
      keyOf={({ agentId }) => agentId}
      minWidth={860}
      columns={[
        { header: columns.agent, cell: (agent) => <Who agent={agent} isPilot={isPilot} /> },
        { header: columns.turns, cell: ({ turns }) => format.number(turns), isNumber: true },
        { header: columns.outcomes, cell: (agent) => <Outcomes agent={agent} /> },
        { header: columns.latency, cell: latencyOf, isNumber: true },
        { header: columns.tokens, cell: (agent) => format.number(tokensOf(agent)), isNumber: true },
        { header: columns.money, cell: moneyOf, isNumber: true },
        {
          header: columns.lastError,
          cell: (agent) => <LastError agent={agent} now={now} />,
          breaksAnywhere: true,
        },
      ]}
      card={(agent) => (
        <>
          <Who agent={agent} isPilot={isPilot} />
          <Text size="sm" className="figure" mt={4}>
            {[
              text.card(agent.turns, tokensOf(agent)),
              ...(agent.latencyMs ? [latencyOf(agent)] : []),
              ...(agent.money > 0 ? [text.cardMoney(moneyOf(agent))] : []),
            ].join(' · ')}
          </Text>
          <Group gap={4} my={4}>
            <Outcomes agent={agent} />
          </Group>
          {agent.lastError && <LastError agent={agent} now={now} />}
        </>
      )}
    />
  )
}

interface WhoProps {
  agent: AgentRow
  isPilot: boolean
}

const Who = ({ agent: { name, agentId, credentialId }, isPilot }: WhoProps) => (
  <>
    <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Text>
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {[agentId, ...(credentialId === null && !isPilot ? [texts().studyAgents.scripted] : [])].join(' · ')}
    </Text>
  </>
)

function Outcomes({ agent: { outcomes, calls } }: { agent: AgentRow }) {
  const { calls: text, studyAgents } = texts()
  if (calls === 0)
    return (
      <Text size="sm" c="dimmed">
        {studyAgents.noCalls}
      </Text>
    )
  return (
    <Group gap={4}>
      {agentOutcomes
        .filter((outcome) => outcomes[outcome] > 0)
        .map((outcome) => (
          <Tooltip key={outcome} label={text.outcomeMeanings[outcome]}>
            <Badge variant="default" tt="none" size="sm">
              {text.outcomeCount(text.outcomes[outcome], outcomes[outcome])}
            </Badge>
          </Tooltip>
        ))}
    </Group>
  )
}

function latencyOf({ latencyMs }: AgentRow): string {
  const { studyAgents, format, feedback } = texts()
  return latencyMs
    ? studyAgents.latencies(format.latency(latencyMs.p50), format.latency(latencyMs.p95))
    : feedback.none
}

function LastError({ agent: { lastError }, now }: { agent: AgentRow; now: number }) {
  const { format, feedback } = texts()
  if (!lastError) return feedback.none
  return (
    <Text size="sm" lineClamp={3} title={lastError.message} style={{ overflowWrap: 'anywhere' }}>
      <Text span size="xs" c="dimmed">
        {format.ago(lastError.at, now)}:
      </Text>{' '}
      {lastError.message}
    </Text>
  )
}
