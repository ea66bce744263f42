import { metricsOf } from '@atrium/monitoring'
import { undeclaredIn } from '@atrium/testkit'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createMetrics, createRequestMetrics, createWorkerMetrics } from './metrics.ts'

test('the server exposes exactly the declared metrics', async () => {
  const metrics = createMetrics(
    async () => 1,
    () => 2,
    () => 3,
  )
  metrics.exported('complete')
  metrics.drift(-3)
  metrics.sockets.disconnected('ping timeout')
  metrics.agents.called({
    outcome: 'applied',
    latencyMs: 12,
    usage: { promptTokens: 1, completionTokens: 1 },
  })
  expect(undeclaredIn(await metrics.text(), metricsOf('server'))).toEqual([])
})

test('the web app alone exposes exactly the declared metrics', async () => {
  expect(undeclaredIn(await createRequestMetrics(new Registry()).text(), metricsOf('web'))).toEqual([])
})

test('a worker exposes exactly the declared metrics', async () => {
  const metrics = createWorkerMetrics()
  metrics.ended('done')
  expect(undeclaredIn(await metrics.text(), metricsOf('worker'))).toEqual([])
})

test('a metric that is missing, undeclared or different is noticed', async () => {
  const scrape = [
    '# HELP app_active_rooms Something else',
    '# TYPE app_active_rooms counter',
    'app_active_rooms{pod="a"} 1',
    '# HELP app_unknown Unknown',
    '# TYPE app_unknown gauge',
    'app_unknown 1',
  ].join('\n')
  const differences = undeclaredIn(
    scrape,
    metricsOf('server').filter(({ name }) => /_(rooms|experiments)$/.test(name)),
  )
  expect(differences).toEqual([
    'app_active_experiments is not exposed',
    'app_active_rooms is a counter, not a gauge',
    'app_active_rooms has another help text: Something else',
    'app_active_rooms has the label pod',
    'app_unknown is not declared',
  ])
})
