import { foreignMetrics, type MetricDeclaration, metrics } from '../../packages/monitoring/src/index.ts'
import { selectedIn } from './promql.ts'

/** The labels of every series that may be queried: those of a histogram have endings. */
const knownLabels = new Map<string, readonly string[]>([
  ...Object.values<MetricDeclaration>(metrics).flatMap(({ name, kind, labels = [] }) =>
    (kind === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']).map(
      (ending) => [`${name}${ending}`, labels] as const,
    ),
  ),
  ...Object.values(foreignMetrics).map(({ name, labels }) => [name, labels] as const),
])

/** What a query names that no program exposes. */
export function unknownIn(query: string): string[] {
  return selectedIn(query).flatMap(({ metric, labels }) => {
    const known = knownLabels.get(metric)
    if (!known) return [metric]
    return labels.filter((label) => !known.includes(label)).map((label) => `${metric}{${label}}`)
  })
}
