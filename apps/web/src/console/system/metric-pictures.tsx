import type { SystemInstances } from '@atrium/contract'
import { metrics as declared } from '@atrium/monitoring'
import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { texts } from '../../text/console.ts'
import { metricLines, pathOf, type SampledMetric, sampledSpan } from './metric-lines.ts'

const shown: readonly SampledMetric[] = [
  'httpRequests',
  'httpRequestDuration',
  'activeExperiments',
  'connectedClients',
  'disconnects',
  'syncAccuracy',
  'memoryBytes',
]

const colours = [
  'var(--accent)',
  'var(--mantine-color-teal-6)',
  'var(--mantine-color-orange-6)',
  'var(--mantine-color-grape-6)',
]
const colourAt = (index: number): string => colours[index % colours.length] ?? 'currentColor'

/** The contract’s metrics on each instance, on one time axis. */
export function MetricPictures({ instances, sampleEveryMs }: SystemInstances) {
  const { systemInside, format } = texts()
  const text = systemInside.metrics
  const span = sampledSpan(instances)
  return (
    <Stack gap="sm" component="section">
      <Title order={2} size="h3">
        {text.title}
      </Title>
      <Text size="sm" c="dimmed">
        {span
          ? text.range(
              format.moment(span.from, span.to - span.from),
              format.moment(span.to, span.to - span.from),
            )
          : text.tooEarly(Math.round(sampleEveryMs / 1_000))}
      </Text>
      {instances.length > 1 && (
        <Group gap="md">
          {instances.map(({ podId }, index) => (
            <Group key={podId} gap={6} wrap="nowrap">
              <span className="metric-key" style={{ background: colourAt(index) }} aria-hidden />
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {podId}
              </Text>
            </Group>
          ))}
        </Group>
      )}
      <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
        {shown.map((metric) => (
          <MetricPicture key={metric} metric={metric} instances={instances} span={span} />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

interface MetricPictureProps {
  metric: SampledMetric
  instances: SystemInstances['instances']
  span: ReturnType<typeof sampledSpan>
}

const box = { width: 240, height: 44 }

function MetricPicture({ metric, instances, span }: MetricPictureProps) {
  const text = texts().systemInside.metrics
  const name = text.names[metric]
  const lines = metricLines(instances, metric)
  const max = Math.max(0, ...lines.map((line) => line.max ?? 0))
  const written = (value: number | null) => (value === null ? text.none : writtenAs(metric, value))
  const label = text.inWords(
    name,
    lines.map((line) => ({ podId: line.podId, now: written(line.now), max: written(line.max) })),
  )
  return (
    <Paper withBorder p="sm">
      <Text size="sm" c="dimmed" title={declaredName(metric)}>
        {name}
      </Text>
      <Text fw={600} className="figure">
        {lines.map(({ now }) => written(now)).join(' · ')}
      </Text>
      <svg
        className="metric-lines"
        role="img"
        aria-label={label}
        viewBox={`0 -2 ${box.width} ${box.height + 4}`}
        preserveAspectRatio="none"
      >
        <path d={`M0 ${box.height}h${box.width}`} className="metric-ground" />
        {span &&
          lines.map(({ podId, points }, index) => (
            <path key={podId} d={pathOf(points, { ...box, span, max })} stroke={colourAt(index)} />
          ))}
      </svg>
      <Text size="xs" c="dimmed">
        {text.max(lines.every((line) => line.max === null) ? text.none : written(max))}
      </Text>
    </Paper>
  )
}

const declaredName = (metric: SampledMetric): string | undefined =>
  metric === 'memoryBytes' ? undefined : declared[metric].name

function writtenAs(metric: SampledMetric, value: number): string {
  const { format } = texts()
  switch (metric) {
    case 'memoryBytes':
      return format.bytes(value)
    case 'httpRequestDuration':
      return format.latency(value * 1_000)
    case 'syncAccuracy':
      return format.latency(value)
    default:
      return format.number(Math.round(value * 10) / 10)
  }
}
