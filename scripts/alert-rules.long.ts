import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTemporaryFolder, findProgram } from '@atrium/testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { alerts as alertsOfContract, furtherAlerts } from '../packages/monitoring/src/index.ts'
import { type AlertCase, alertCases as casesOfContract } from './test/alert-cases.ts'
import { furtherAlertCases } from './test/further-alert-cases.ts'

const root = new URL('../', import.meta.url)
const rules = ['alerts', 'further-alerts']
  .map((name) => readFileSync(new URL(`deploy/prometheus/${name}.yaml`, root), 'utf8'))
  .reduce((all, more) => `${all}${more.slice(more.indexOf('groups:\n') + 'groups:\n'.length)}`)
const alerts = [...alertsOfContract, ...furtherAlerts]
const alertCases = [...casesOfContract, ...furtherAlertCases]
const folder = createTemporaryFolder('alerts')
const run = promisify(execFile)

afterAll(() => folder.remove())

/** What promtool says about these rules on this case; undefined if they behave as it says. */
async function problemOf(rulesText: string, one: AlertCase): Promise<string | undefined> {
  writeFileSync(join(folder.path, 'rules.yaml'), rulesText)
  // JSON is YAML, too.
  writeFileSync(join(folder.path, 'case.yaml'), JSON.stringify(asUnitTest(one)))
  return await promtool('test', 'rules', join(folder.path, 'case.yaml'))
}

const promtool = async (...args: string[]): Promise<string | undefined> =>
  await run(findProgram('promtool'), args).then(
    () => undefined,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  )

/** Every minute is looked at: until `firesAt` nothing fires, from then on it does. */
function asUnitTest({ alert, series, firesAt, minutes, labels, summary }: AlertCase) {
  const { severity, condition } = alerts.find(({ name }) => name === alert) ?? {}
  const fired = {
    exp_labels: { severity, ...labels },
    exp_annotations: {
      summary,
      description: `Condition: ${condition}.`,
      runbook: `docs/monitoring.md#${alert.toLowerCase()}`,
    },
  }
  return {
    rule_files: ['rules.yaml'],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: Array.from({ length: minutes }, (_, minute) => ({
          eval_time: `${minute}m`,
          alertname: alert,
          exp_alerts: firesAt !== undefined && minute >= firesAt ? [fired] : [],
        })),
      },
    ],
  }
}

test('promtool accepts the rules', async () => {
  writeFileSync(join(folder.path, 'rules.yaml'), rules)
  expect(await promtool('check', 'rules', join(folder.path, 'rules.yaml'))).toBeUndefined()
})

describe.each(alerts.map(({ name }) => name))('%s', (alert) => {
  const cases = alertCases.filter((one) => one.alert === alert)

  test.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    expect(await problemOf(rules, one)).toBeUndefined()
  })

  test('another threshold or duration is noticed', async () => {
    const { expression, holdsFor } = alerts.find(({ name }) => name === alert) ?? { expression: '' }
    const threshold = /> ([\d.]+)$/.exec(expression)?.[1] ?? ''
    const written = JSON.stringify(expression)
    const changed = [
      ...(Number(threshold) > 0 ? [0.99, 1.21] : []).map((factor) =>
        written.replace(`> ${threshold}"`, `> ${(Number(threshold) * factor).toFixed(4)}"`),
      ),
      ...(holdsFor ? [] : ['[1m]', '[2h]'].map((window) => written.replace(/\[\w+\]/, window))),
    ].map((other) => rules.replace(written, other))
    const durations = holdsFor
      ? ['3m', '15m'].map((other) =>
          rules.replace(`${written}\n        for: ${holdsFor}`, `${written}\n        for: ${other}`),
        )
      : []
    for (const wrong of [...changed, ...durations]) {
      expect(wrong).not.toBe(rules)
      const problems = []
      for (const one of cases) problems.push(await problemOf(wrong, one))
      expect(problems.filter((problem) => problem !== undefined)).not.toEqual([])
    }
  })
})

test('promtool can read every query of the dashboard', async () => {
  const { panels } = JSON.parse(readFileSync(new URL('deploy/grafana/atrium.json', root), 'utf8'))
  const queries: string[] = panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*')),
  )
  const recorded = queries.map((expr, at) => ({ record: `query:${at}`, expr }))
  const file = join(folder.path, 'queries.yaml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules: recorded }] }))
  expect(await promtool('check', 'rules', file)).toBeUndefined()
})
