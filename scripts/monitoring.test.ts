import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { alerts, furtherAlerts, type MetricDeclaration, metrics } from '../packages/monitoring/src/index.ts'
import { unknownIn } from './test/known-metrics.ts'

const root = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

describe('the alert rules', () => {
  const rules = read('deploy/prometheus/alerts.yaml')

  /** Thresholds, windows and durations as the contract states them, written down a second time. */
  const conditions = {
    HighErrorRate: { condition: '5xx share above 5 percent for 5 minutes', above: '0.05', holdsFor: '5m' },
    HighCPUUsage: {
      condition: 'CPU above 80 percent of quota for 10 minutes',
      above: '0.8',
      holdsFor: '10m',
    },
    MemoryPressure: {
      condition: 'memory above 90 percent of limit for 5 minutes',
      above: '0.9',
      holdsFor: '5m',
    },
    FrequentPodRestarts: { condition: 'more than 5 restarts in 1 hour', above: '5', window: '[1h]' },
    SocketIOConnectionDrop: {
      condition: 'disconnect rate above 10 per second over 5 minutes',
      above: '10',
      window: '[5m]',
    },
  }

  test('are exactly the five of the contract, with its conditions', () => {
    const written = [...rules.matchAll(/- alert: (\w+)\n {8}expr: (".*")\n(?: {8}for: (\w+)\n)?/g)]
    expect(written.map(([, name]) => name)).toEqual(Object.keys(conditions))
    for (const [at, { condition, above, ...expected }] of Object.values(conditions).entries()) {
      const [, , expression = '""', holdsFor] = written[at] ?? []
      expect(JSON.parse(expression)).toMatch(new RegExp(` > ${above.replace('.', '[.]')}$`))
      expect(holdsFor).toBe('holdsFor' in expected ? expected.holdsFor : undefined)
      if ('window' in expected) expect(JSON.parse(expression)).toContain(expected.window)
      expect(alerts[at]?.condition).toBe(condition)
      expect(rules).toContain(`Condition: ${condition}.`)
    }
  })

  test('use only metrics and labels that exist', () => {
    for (const { expression } of [...alerts, ...furtherAlerts]) expect(unknownIn(expression)).toEqual([])
  })

  test('each name a section of the documentation that says what to do', () => {
    const headings = new Set([...read('docs/monitoring.md').matchAll(/^#+ (\w+)$/gm)].map(([, name]) => name))
    const further = read('deploy/prometheus/further-alerts.yaml')
    for (const { name } of [...alerts, ...furtherAlerts]) {
      expect(`${rules}${further}`).toContain(`runbook: docs/monitoring.md#${name.toLowerCase()}\n`)
      expect(headings).toContain(name)
    }
  })
})

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  fieldConfig?: { defaults: { unit: string } }
  targets?: { refId: string; expr: string; legendFormat: string }[]
}

describe('the dashboard', () => {
  const { panels }: { panels: Panel[] } = JSON.parse(read('deploy/grafana/atrium.json'))
  const charts = panels.filter(({ type }) => type !== 'row')

  test('asks only for metrics and labels that exist', () => {
    const queries = charts.flatMap(({ targets = [] }) => targets)
    expect(queries.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
    for (const { expr, legendFormat } of queries) {
      const inLegend = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
      const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
      expect(grouped).toEqual(expect.arrayContaining(inLegend))
    }
  })

  test('shows every metric of ours', () => {
    const asked = charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n')
    const missing = Object.values<MetricDeclaration>(metrics).filter(({ name }) => !asked.includes(name))
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  test('has a title, a unit and a query in every panel, and no two panels in one place', () => {
    expect(charts.length).toBeGreaterThan(10)
    for (const { title, fieldConfig, targets } of charts) {
      expect(title).not.toBe('')
      expect(fieldConfig?.defaults.unit).toMatch(/^(short|s|ms|bytes|percentunit|reqps|cps|Bps)$/)
      expect(targets?.length).toBeGreaterThan(0)
    }
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })
})

test('a query of an unknown metric or label is noticed', () => {
  expect(unknownIn('sum by (status) (rate(http_requests_total{status=~"5.."}[5m])) > 1')).toEqual([])
  expect(unknownIn('sum by (route) (rate(http_requests_total{code="500"}[5m]))')).toEqual([
    'http_requests_total{code}',
    'http_requests_total{route}',
  ])
  expect(unknownIn('http_request_total / app_active_rooms')).toEqual(['http_request_total'])
  expect(unknownIn('rate(app_sync_accuracy_ms[5m])')).toEqual(['app_sync_accuracy_ms'])
})
