import type { ExperimentDefinition, ExperimentPlots } from '@atrium/contract'
import { Alert, NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import { texts } from '../../text/console.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { Flow } from './flow.tsx'
import { PlotCard } from './plot-card.tsx'
import {
  completionRows,
  histogramRows,
  middleOf,
  outcomeRows,
  stateRows,
  sumOf,
  worstOf,
} from './plot-figures.ts'
import { usePlots } from './plot-queries.ts'

interface PlotsProps {
  experimentId: string
  definition: ExperimentDefinition
}

export function Plots({ experimentId, definition }: PlotsProps) {
  const plots = usePlots(experimentId)
  return (
    <Loaded query={plots} skeletonHeight={700}>
      {(data) => (
        <Stack>
          {data.isCounting && <Alert color="blue">{texts().plots.counting}</Alert>}
          <Flow experimentId={experimentId} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
            <Completion {...data} />
            <Outcomes {...data} />
            <DropOut {...data} definition={definition} />
            <ResponseTimes {...data} />
            <Waiting {...data} />
          </SimpleGrid>
        </Stack>
      )}
    </Loaded>
  )
}

function Completion({ completion }: Pick<ExperimentPlots, 'completion'>) {
  const text = texts().plots.completion
  const sum = (name: 'joined' | 'completed') => sumOf(completion.buckets.map((bucket) => bucket[name]))
  return (
    <PlotCard
      id="plot-completion"
      title={text.title}
      summary={text.summary(sum('joined'), sum('completed'))}
      empty={text.empty}
      plot={{
        data: completionRows(completion),
        dataKey: 'when',
        series: [
          { name: 'joined', label: text.joined, color: 'accent.6' },
          { name: 'completed', label: text.completed, color: 'teal.6' },
        ],
      }}
      columns={[
        ['when', completion.bucketMs < 86_400_000 ? text.when.hour : text.when.day],
        ['joined', text.joined],
        ['completed', text.completed],
      ]}
    />
  )
}

function Outcomes({ outcomes }: Pick<ExperimentPlots, 'outcomes'>) {
  const text = texts().plots.outcomes
  const rows = outcomeRows(outcomes)
  const [first] = rows
  return (
    <PlotCard
      id="plot-outcomes"
      title={text.title}
      summary={
        first ? text.summary(sumOf(rows.map(({ people }) => people)), first.outcome, first.people) : ''
      }
      empty={text.empty}
      plot={{
        data: rows,
        dataKey: 'outcome',
        series: [{ name: 'people', label: text.people, color: 'accent.6' }],
        isList: true,
      }}
      columns={[
        ['outcome', text.outcome],
        ['people', text.people],
      ]}
    />
  )
}

type DropOutProps = Pick<ExperimentPlots, 'states'> & Pick<PlotsProps, 'definition'>

function DropOut({ states, definition }: DropOutProps) {
  const text = texts().plots.states
  const rows = stateRows(states, definition)
  const parts = [
    { name: 'wentOn', label: text.wentOn, color: 'teal.6' },
    { name: 'stopped', label: text.stopped, color: 'red.6' },
    { name: 'rest', label: text.rest, color: 'gray.5' },
  ]
  return (
    <PlotCard
      id="plot-states"
      title={text.title}
      summary={text.summary(sumOf(rows.map(({ stopped }) => stopped)), worstOf(rows))}
      empty={text.empty}
      note={text.note}
      plot={{ data: rows.map((row) => ({ ...row })), dataKey: 'state', series: parts, isList: true }}
      columns={[
        ['state', text.state],
        ['entered', text.entered],
        ...parts.map(({ name, label }) => [name, label] as const),
      ]}
    />
  )
}

function ResponseTimes({ responseTimes }: Pick<ExperimentPlots, 'responseTimes'>) {
  const text = texts().plots.responseTimes
  const { boundsMs, components } = responseTimes
  const [chosen, setChosen] = useState('')
  const keyOf = ({ stateId, componentId }: { stateId: string; componentId: string }) =>
    JSON.stringify([stateId, componentId])
  const shown = components.find((component) => keyOf(component) === chosen) ?? components[0]
  const rows = histogramRows(boundsMs, shown?.counts ?? [])
  return (
    <PlotCard
      id="plot-response-times"
      title={text.title}
      summary={text.summary(sumOf(rows.map(({ count }) => count)), middleOf(rows))}
      empty={text.empty}
      choice={
        <NativeSelect
          label={text.component}
          value={shown ? keyOf(shown) : ''}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={components.map((component) => ({
            value: keyOf(component),
            label: text.label(component.stateId, component.componentId),
          }))}
        />
      }
      plot={{
        data: rows.map((row) => ({ ...row })),
        dataKey: 'range',
        series: [{ name: 'count', label: text.answers, color: 'accent.6' }],
      }}
      columns={[
        ['range', text.time],
        ['count', text.answers],
      ]}
    />
  )
}

function Waiting({ waiting }: Pick<ExperimentPlots, 'waiting'>) {
  const text = texts().plots.waiting
  const rows = histogramRows(waiting.boundsMs, waiting.counts)
  return (
    <PlotCard
      id="plot-waiting"
      title={text.title}
      summary={text.summary(sumOf(waiting.counts), middleOf(rows))}
      empty={text.empty}
      note={waiting.isComplete ? undefined : text.newestOnly}
      plot={{
        data: rows.map((row) => ({ ...row })),
        dataKey: 'range',
        series: [{ name: 'count', label: text.people, color: 'grape.6' }],
      }}
      columns={[
        ['range', text.time],
        ['count', text.people],
      ]}
    />
  )
}
