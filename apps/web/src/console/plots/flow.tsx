import { Paper, Stack, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { droppedIn, flowSteps, flowTable } from './flow-figures.ts'
import { FlowPicture } from './flow-picture.tsx'
import { PlotTable } from './plot-card.tsx'
import { useFlow } from './plot-queries.ts'

/** R92: who came, who stopped where, and who completed. */
export function Flow({ experimentId }: { experimentId: string }) {
  const text = texts().plots.flow
  const flow = useFlow(experimentId)
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="plot-flow">
      <Stack gap="sm">
        <Title order={2} size="h5" id="plot-flow">
          {text.title}
        </Title>
        <Loaded query={flow} skeletonHeight={320}>
          {(data) => {
            const { total } = data
            if (total.arrived === 0) return <Text c="dimmed">{text.empty}</Text>
            const summary = text.summary(total.arrived, total.completed, droppedIn(total))
            return (
              <Stack gap="sm">
                <Text size="sm">{summary}</Text>
                <FlowPicture steps={flowSteps(data)} label={summary} />
                <Text size="sm" c="dimmed">
                  {text.note}
                </Text>
                <PlotTable title={text.title} {...flowTable(data)} />
              </Stack>
            )
          }}
        </Loaded>
      </Stack>
    </Paper>
  )
}
