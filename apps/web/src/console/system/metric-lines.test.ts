import type { MetricSample, SystemInstance } from '@atrium/contract'
import { expect, test } from 'vitest'
import { metricLines, pathOf, sampledSpan } from './metric-lines.ts'

const sample = (at: number, values: Partial<MetricSample>): MetricSample => ({
  at,
  memoryBytes: 0,
  httpRequests: null,
  httpRequestDuration: null,
  activeExperiments: null,
  syncAccuracy: null,
  connectedClients: null,
  disconnects: null,
  ...values,
})
const instance = (podId: string, samples: MetricSample[]): SystemInstance => ({
  podId,
  status: 'healthy',
  rooms: 0,
  maxRooms: null,
  participants: 0,
  maxParticipants: null,
  memoryBytes: null,
  cpuShare: null,
  leaseAgeMs: null,
  reportAgeMs: null,
  runningSince: null,
  samples,
})

test('increases are per minute, however far apart the samples are; gauges stay as they are', () => {
  const samples = [
    sample(0, { connectedClients: 3 }),
    sample(60_000, { httpRequests: 30, connectedClients: 5 }),
    sample(180_000, { httpRequests: 30, connectedClients: 4 }),
  ]
  const [requests] = metricLines([instance('a', samples)], 'httpRequests')
  expect(requests?.points.map(({ value }) => value)).toEqual([null, 30, 15])
  const [sockets] = metricLines([instance('a', samples)], 'connectedClients')
  expect(sockets).toMatchObject({ now: 4, max: 5 })
})

test('all pictures span from the first to the last sample of any instance', () => {
  expect(sampledSpan([])).toBeUndefined()
  expect(sampledSpan([instance('a', [sample(5, {})])])).toBeUndefined()
  expect(sampledSpan([instance('a', [sample(5, {})]), instance('b', [sample(9, {})])])).toEqual({
    from: 5,
    to: 9,
  })
})

test('a line begins at zero and is interrupted where there was nothing to measure', () => {
  const box = { width: 100, height: 10, span: { from: 0, to: 4 }, max: 2 }
  const values = [0, 2, null, 1, null]
  expect(
    pathOf(
      values.map((value, at) => ({ at, value })),
      box,
    ),
  ).toBe('M0.0 10.0h1L25.0 0.0M75.0 5.0h1')
  expect(pathOf([{ at: 2, value: 0 }], { ...box, max: 0 })).toBe('M50.0 10.0h1')
})
