import {
  type AgentFigures,
  type ExperimentAccess,
  type ExperimentDefinition,
  type ExperimentStatus,
  mayWith,
} from '@atrium/contract'
import { Group, NativeSelect, SegmentedControl, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { NothingHere } from '../../feedback/nothing-here.tsx'
import { CallPanel, panelHeight, RangeControl, usualMinutes } from '../figures/call-panel.tsx'
import { Pilots } from '../pilots/pilots.tsx'
import { AgentList } from './agent-list.tsx'
import { type RoomKind, useAgentFigures } from './study-queries.ts'
import { TurnExport } from './turn-export.tsx'
import '../agents.css'

interface AgentsTabProps {
  experimentId: string
  name: string
  status: ExperimentStatus
  isPublished: boolean
  access: ExperimentAccess
  definition: ExperimentDefinition
}

/** What the agents of a study did and cost, and pilots that agents play alone. */
export default function AgentsTab({
  experimentId,
  name,
  status,
  isPublished,
  access,
  definition,
}: AgentsTabProps) {
  const text = texts().studyAgents
  const [minutes, setMinutes] = useState<number>(usualMinutes)
  const [kind, setKind] = useState<RoomKind>('people')
  const figures = useAgentFigures(experimentId, minutes, kind)
  return (
    <Stack gap="xl">
      <section aria-labelledby="agents">
        <Group justify="space-between" mb="sm">
          <Title order={2} size="h4" id="agents">
            {text.title}
          </Title>
          <Group gap="sm">
            <SegmentedControl
              aria-label={text.data}
              value={kind}
              onChange={(value) => setKind(value === 'pilots' ? 'pilots' : 'people')}
              data={[
                { value: 'people', label: text.withPeople },
                { value: 'pilots', label: text.pilots },
              ]}
            />
            <RangeControl minutes={minutes} onChange={setMinutes} />
          </Group>
        </Group>
        <Loaded query={figures} skeletonHeight={panelHeight}>
          {(data) =>
            data.agents.length === 0 ? (
              <NoAgents kind={kind} />
            ) : (
              <Stack gap="lg">
                <AgentList agents={data.agents} now={figures.dataUpdatedAt} isPilot={kind === 'pilots'} />
                <OverTime figures={data} minutes={minutes} now={figures.dataUpdatedAt} />
                <TurnExport experimentId={experimentId} experimentName={name} kind={kind} />
              </Stack>
            )
          }
        </Loaded>
      </section>
      <Pilots
        experimentId={experimentId}
        agents={definition.agents ?? []}
        objection={
          !mayWith(access, 'edit')
            ? texts().pilots.viewOnly
            : status === 'archived'
              ? texts().pilots.archived
              : definition.stages !== undefined
                ? texts().pilots.stages
                : isPublished
                  ? undefined
                  : texts().pilots.unpublished
        }
        onStarted={() => setKind('pilots')}
      />
    </Stack>
  )
}

function NoAgents({ kind }: { kind: RoomKind }) {
  const { none, noneMessage, noPilots, noPilotsMessage } = texts().studyAgents
  return kind === 'people' ? (
    <NothingHere title={none}>{noneMessage}</NothingHere>
  ) : (
    <NothingHere title={noPilots}>{noPilotsMessage}</NothingHere>
  )
}

interface OverTimeProps {
  figures: AgentFigures
  minutes: number
  now: number
}

/** The course of one agent: a study may have fifty, and charts of all at once would say nothing. */
function OverTime({ figures, minutes, now }: OverTimeProps) {
  const text = texts().studyAgents
  const { agents } = figures
  const [chosen, setChosen] = useState<string>()
  // The one that was asked most says most.
  const busiest = agents.toSorted((one, other) => other.calls - one.calls)[0]
  const agent = agents.find(({ agentId }) => agentId === chosen) ?? busiest
  if (!agent) return null
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Title order={3} size="h5">
          {text.overTime}
        </Title>
        {agents.length > 1 && (
          <NativeSelect
            label={text.which}
            value={agent.agentId}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={agents.map(({ agentId, name }) => ({ value: agentId, label: name }))}
          />
        )}
      </Group>
      <CallPanel counted={{ window: figures, figures: agent }} minutes={minutes} now={now} />
    </Stack>
  )
}
