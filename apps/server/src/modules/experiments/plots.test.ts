import { expect, test } from 'vitest'
import type { PlotFigures } from './experiments.store.ts'
import { readPlots, waitBoundsMs } from './plots.ts'
import { responseTimeBoundsMs, type Tally, talliesOf } from './tallies.plan.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const today = 20_000 * dayMs

const nothing: PlotFigures = {
  days: [],
  outcomes: [],
  tallies: [],
  waitsMs: { newest: [], isAll: true },
  isCounting: false,
}
/** What is stored, and when hours were asked for. */
function plotsOf(figures: Partial<PlotFigures>, now = today) {
  const store = {
    plots: async () => ({ ...nothing, ...figures }),
    activity: async () => ({ joined: [{ bucket: 30, count: 2 }], completed: [], events: [] }),
  }
  return readPlots(store, 'exp_1', now)
}

const tally = (kind: Tally['kind'], count: number, more: Partial<Tally> = {}): Tally => ({
  kind,
  origin: 'room',
  stateId: 's1',
  componentId: '',
  bucket: 0,
  count,
  ...more,
})

test('[X53] a study that began this week is shown in hours, from the first that has something', async () => {
  const days = [{ at: today - 2 * dayMs, joined: 2, completed: 0 }]
  const { completion } = await plotsOf({ days }, today + hourMs / 2)
  expect(completion.bucketMs).toBe(hourMs)
  expect(completion.buckets[0]).toEqual({ at: today - 2 * dayMs + 30 * hourMs, joined: 2, completed: 0 })
  expect(completion.buckets.at(-1)?.at).toBe(today)
})

test('[X53] a longer study is shown in days, with the empty ones and never more than 400', async () => {
  const days = [
    { at: today - 9 * dayMs, joined: 3, completed: 1 },
    { at: today - 2 * dayMs, joined: 0, completed: 2 },
  ]
  const { completion } = await plotsOf({ days })
  expect(completion.buckets.map(({ joined, completed }) => joined + completed)).toEqual([
    ...[4, 0, 0, 0, 0, 0, 0, 2, 0, 0],
  ])
  const old = await plotsOf({ days: [{ at: today - 4_000 * dayMs, joined: 1, completed: 0 }] })
  expect(old.completion.buckets).toHaveLength(400)
})

test('[X53] outcomes of all revisions, people without one last', async () => {
  const { outcomes } = await plotsOf({
    outcomes: [
      { outcome: null, people: 9 },
      { outcome: 'TIMEOUT', people: 1 },
      { outcome: 'SUCCESS', people: 1 },
      { outcome: 'SUCCESS', people: 2 },
    ],
  })
  expect(outcomes.map(({ outcome, people }) => [outcome, people])).toEqual([
    ['SUCCESS', 3],
    ['TIMEOUT', 1],
    [null, 9],
  ])
})

test('[X53] what the room recorded of a state counts before what pages sent', async () => {
  const { states } = await plotsOf({
    tallies: [
      tally('entered', 5),
      tally('passed', 3),
      tally('stopped', 1),
      tally('entered', 7, { origin: 'page' }),
      tally('entered', 2, { origin: 'page', stateId: 's2' }),
      tally('passed', 2, { origin: 'page', stateId: 'never entered' }),
    ],
  })
  expect(states).toEqual([
    { stateId: 's1', entered: 5, wentOn: 3, stopped: 1 },
    { stateId: 's2', entered: 2, wentOn: 0, stopped: 0 },
  ])
})

test('[X53] response times and waits are in the bucket below whose bound they are', async () => {
  const event = {
    type: 'component_response',
    stateId: 's1',
    componentId: 'c1',
    flags: '',
    roomSeq: 1,
    visit: 1,
  }
  const answered = [199, 200, 299, 300_000].flatMap((responseTime) =>
    talliesOf({ ...event, data: JSON.stringify({ value: 1, responseTime }) }),
  )
  const { responseTimes, waiting } = await plotsOf({
    tallies: answered,
    waitsMs: { newest: [0, 999, 1_000, 9_999_999], isAll: false },
  })
  const [component] = responseTimes.components
  expect(component?.counts.slice(0, 3)).toEqual([1, 2, 0])
  expect(component?.counts.at(-1)).toBe(1)
  expect(component?.counts).toHaveLength(responseTimeBoundsMs.length + 1)
  expect([waiting.counts.slice(0, 3), waiting.counts.at(-1), waiting.isComplete]).toEqual([
    [2, 1, 0],
    1,
    false,
  ])
  expect(waiting.boundsMs).toEqual(waitBoundsMs)
})
