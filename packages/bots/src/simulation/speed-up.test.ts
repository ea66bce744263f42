import { type ExperimentDefinition, speedUp } from '@atrium/contract'
import { expect, test } from 'vitest'

const rate = { id: 'rate', type: 'sparse_rating', atMs: [30_000, 30_001], sampleMs: 250 }
const read = { id: 'read', type: 'consent', minReadMs: 1_000 }
const down = { id: 'down', type: 'countdown', durationMs: 500 }
const video = { id: 'film', type: 'video', src: '/f.mp4', durationMs: 60_000, data: { durationMs: 9 } }
const study: ExperimentDefinition = {
  name: 'All kinds of times',
  states: [
    {
      id: 'watch',
      components: [video, rate],
      end: { on: 'timed', afterMs: 60_000 },
    },
    { id: 'bye', components: [read] },
  ],
  globalComponents: [down],
  matching: { groupSize: 2, deadlineMs: 600_000 },
  dropout: { policy: 'end', graceMs: 30_000 },
  consent: { minReadMs: 4_000 },
}

test('every duration in a definition is divided, and nothing else changes', () => {
  expect(speedUp(study, 100)).toEqual({
    name: 'All kinds of times',
    states: [
      {
        id: 'watch',
        components: [
          { ...video, durationMs: 600 },
          { ...rate, atMs: [300, 301] },
        ],
        end: { on: 'timed', afterMs: 600 },
      },
      { id: 'bye', components: [{ ...read, minReadMs: 10 }] },
    ],
    globalComponents: [{ ...down, durationMs: 5 }],
    matching: { groupSize: 2, deadlineMs: 6_000 },
    // Real connections take their time.
    dropout: { policy: 'end', graceMs: 5_000 },
    consent: { minReadMs: 40 },
  })
  expect(speedUp(study, 1)).toEqual(study)
})

test('the first state leaves time to connect, unless it asks for the time itself', () => {
  const awaited = (afterMs: number) => ({ on: 'all_responded' as const, afterMs })
  const states = [180_000, 180_000].map((afterMs, index) => ({
    id: `s${index}`,
    components: [],
    end: awaited(afterMs),
  }))
  const quick = speedUp({ name: 'Two', states }, 100)
  expect(quick.states.map(({ end }) => end)).toEqual([awaited(30_000), awaited(1_800)])
})
