import {
  alerts,
  foreignMetrics,
  furtherAlerts,
  type MetricDeclaration,
  metrics,
} from '../../packages/monitoring/src/index.ts'
import { markdownFile, table } from './markdown.ts'

/** Documents what can be scraped, and the alerts on it. */
export function metricsPage(): string {
  return markdownFile([
    '# Metrics and alerts',
    'Every program serves its metrics at `/metrics` on `METRICS_PORT`. What to do about an alert, and how to use the dashboard: [monitoring](../monitoring.md).',
    '## Metrics',
    table(
      ['Metric', 'Kind', 'Labels', 'Exposed by', 'Meaning'],
      Object.values<MetricDeclaration>(metrics).map(({ name, kind, labels, buckets, programs, help }) => [
        `\`${name}\``,
        kind,
        (labels ?? []).map((label) => `\`${label}\``).join(', '),
        programs.map((program) => programNames[program]).join(', '),
        buckets ? `${help}; buckets ${buckets.join(', ')}` : help,
      ]),
    ),
    'Programs also expose the default metrics of Node.js (`process_*` and `nodejs_*`).',
    '## Alerts',
    table(
      ['Alert', 'Fires at', 'Severity'],
      [...alerts, ...furtherAlerts].map(({ name, condition, severity }) => [
        `[\`${name}\`](../monitoring.md#${name.toLowerCase()})`,
        condition,
        severity,
      ]),
    ),
    'The first five are in `deploy/prometheus/alerts.yaml`, the others in `further-alerts.yaml` beside it.',
    '## Metrics of others',
    'Alerts and the dashboard also use these:',
    table(
      ['Metric', 'Kind', 'Exposed by', 'Meaning'],
      Object.values(foreignMetrics).map(({ name, kind, from, help }) => [`\`${name}\``, kind, from, help]),
    ),
  ])
}

const programNames: Record<MetricDeclaration['programs'][number], string> = {
  server: 'server',
  router: 'router',
  web: 'web app alone',
  worker: 'workers',
  objects: 'object store alone',
}
