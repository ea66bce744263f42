import type { MetricDeclaration } from '@atrium/monitoring'

interface Exposed {
  name: string
  kind: string
  help: string
  labels: Set<string>
  buckets: number[]
}

/**
 * What differs between a scrape and the declared metrics, as sentences. Node's own metrics are left out. Labels and buckets
 * are compared where the scrape has a series.
 */
export function undeclaredIn(scrape: string, declared: readonly MetricDeclaration[]): string[] {
  const exposed = exposedIn(scrape)
  const known = new Map(declared.map((metric) => [metric.name, metric]))
  return [
    ...declared.filter(({ name }) => !exposed.has(name)).map(({ name }) => `${name} is not exposed`),
    ...[...exposed.values()].flatMap((metric) => {
      const declaration = known.get(metric.name)
      if (!declaration) return [`${metric.name} is not declared`]
      const { kind, help, labels = [], buckets = [] } = declaration
      return [
        ...(metric.kind === kind ? [] : [`${metric.name} is a ${metric.kind}, not a ${kind}`]),
        ...(metric.help === help ? [] : [`${metric.name} has another help text: ${metric.help}`]),
        ...[...metric.labels]
          .filter((label) => !labels.includes(label))
          .map((label) => `${metric.name} has the label ${label}`),
        ...(metric.buckets.length === 0 || metric.buckets.join() === buckets.join()
          ? []
          : [`${metric.name} has the buckets ${metric.buckets.join()}`]),
      ]
    }),
  ]
}

function exposedIn(scrape: string): Map<string, Exposed> {
  const found = new Map<string, Exposed>()
  for (const [, name = '', help = ''] of scrape.matchAll(/^# HELP (\S+) (.*)$/gm))
    if (!/^(nodejs|process)_/.test(name))
      found.set(name, { name, help, kind: '', labels: new Set(), buckets: [] })
  for (const [, name = '', kind = ''] of scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const metric = found.get(name)
    if (metric) metric.kind = kind
  }
  for (const [, series = '', labels = ''] of scrape.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const metric = found.get(series) ?? found.get(series.replace(/_(bucket|sum|count)$/, ''))
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      if (label !== 'le') metric?.labels.add(label)
      else if (value !== '+Inf' && metric && !metric.buckets.includes(Number(value)))
        metric.buckets.push(Number(value))
  }
  return found
}
