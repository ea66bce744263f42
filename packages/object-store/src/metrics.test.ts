import { metricsOf } from '@atrium/monitoring'
import { undeclaredIn } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('the object store exposes exactly the metrics that the contract declares for it', async () => {
  expect(undeclaredIn(await createMetrics(() => 1).text(), metricsOf('objects'))).toEqual([])
})
