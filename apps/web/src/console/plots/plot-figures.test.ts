import { expect, test } from 'vitest'
import { shortened } from './flow-figures.ts'
import { completionRows, histogramRows, middleOf, stateRows, worstOf } from './plot-figures.ts'

test('a histogram begins and ends next to what is in it, and its median is in a range', () => {
  const rows = histogramRows([200, 300, 500, 1_000], [0, 0, 2, 1, 0])
  expect(rows).toEqual([
    { range: '200 ms – 300 ms', count: 0 },
    { range: '300 ms – 500 ms', count: 2 },
    { range: '500 ms – 1 s', count: 1 },
    { range: '1 s or more', count: 0 },
  ])
  expect(middleOf(rows)).toBe('300 ms – 500 ms')
  expect(histogramRows([200], [1, 0])[0]).toEqual({ range: 'under 200 ms', count: 1 })
  expect(histogramRows([200], [0, 0])).toEqual([])
})

test('states are in the order of the definition, former ones last, and named so that none is confused', () => {
  const definition = {
    name: 'Study',
    states: [
      { id: 'a', name: 'Round', components: [] },
      { id: 'b', name: 'Round', components: [] },
      { id: 'c', name: 'Thanks', components: [] },
    ],
  }
  const state = (stateId: string, stopped: number) => ({ stateId, entered: 9, wentOn: 5, stopped })
  const rows = stateRows([state('former', 0), state('c', 3), state('b', 1), state('a', 5)], definition)
  expect(rows.map(({ state, rest }) => [state, rest])).toEqual([
    ['Round (a)', 0],
    ['Round (b)', 3],
    ['Thanks', 1],
    ['former', 4],
  ])
  expect(worstOf(rows)?.state).toBe('Round (a)')
  expect(worstOf([])).toBeUndefined()
})

test('days are those of UTC, wherever the researcher is', () => {
  const dayMs = 86_400_000
  const buckets = [{ at: 20_000 * dayMs, joined: 1, completed: 0 }]
  expect(completionRows({ bucketMs: dayMs, buckets })[0]?.when).toBe('4 Oct')
})

test('a line that is too long for its box in the participant flow keeps its numbers', () => {
  expect(shortened('Waiting for a group: 9', 24)).toBe('Waiting for a group: 9')
  expect(shortened('Waiting for a group: 1,234', 24)).toBe('Waiting for a gr…: 1,234')
  expect(shortened('a very long condition: 12, 10 completed', 25)).toBe('a very…: 12, 10 completed')
  expect(shortened('no number in this one', 10)).toBe('no number…')
})
