import { metricsOf } from '@atrium/monitoring'
import { undeclaredIn } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('the router exposes exactly the declared metrics', async () => {
  const metrics = createMetrics()
  metrics.lookup('redis')
  metrics.requestFinished('room', 200, 0.01)
  metrics.upgrade('failed')
  metrics.socketOpened()
  expect(undeclaredIn(await metrics.text(), metricsOf('router'))).toEqual([])
})
