import type { ComponentView, RoomSnapshot } from '@atrium/contract'
import { expect, test } from 'vitest'
import { createDraws } from '../random.ts'
import { type Act, planVisit } from './plan-visit.ts'

const now = 1_000_000

function viewOf(
  components: ComponentView[],
  state: Partial<NonNullable<RoomSnapshot['state']>> = {},
  self: Partial<RoomSnapshot['self']> = {},
): RoomSnapshot {
  return {
    roomId: 'room_1',
    experimentId: 'x',
    seq: 1,
    serverTime: now,
    status: 'running',
    condition: null,
    self: {
      participantId: 'p',
      alias: 'P1',
      role: 'participant',
      status: 'active',
      outcome: null,
      ready: false,
      responses: {},
      results: {},
      variables: {},
      ...self,
    },
    others: [],
    state: {
      id: 's1',
      name: null,
      instructions: null,
      visit: 1,
      round: null,
      rounds: null,
      enteredAt: now,
      deadlineAt: null,
      endsOn: 'button',
      buttonLabel: null,
      isWaiting: false,
      components,
      ...state,
    },
    globalComponents: [],
    variables: {},
    messages: [],
    progress: { done: 0, of: 1 },
  }
}

const plan = (view: RoomSnapshot, seed = 'a', speed = 1): Act[] =>
  planVisit({ view, now, draws: createDraws(seed), speed })

const answered = (acts: Act[]): [string, number][] =>
  acts.flatMap((act) => (act.kind === 'answer' ? [[act.component.id, act.dueMs] as [string, number]] : []))

test('a video ends when it is over, and is rated along the way and at the given positions, in chronological order', () => {
  const video = { id: 'film', type: 'video', src: '/f.mp4', durationMs: 60_000 }
  const tension = { id: 'tension', type: 'continuous_rating' }
  const liking = { id: 'liking', type: 'sparse_rating', atMs: [20_000, 40_000] }
  const acts = plan(viewOf([video, tension, liking], { endsOn: 'media_ended' }))
  expect(answered(acts)).toEqual([
    ['tension', 0],
    ['tension', 15_000],
    ['liking', 20_000],
    ['tension', 30_000],
    ['liking', 40_000],
    ['tension', 45_000],
    ['film', 60_000],
  ])
  const places = acts.flatMap((act) => (act.kind === 'answer' && act.component === liking ? [act.value] : []))
  expect(places).toMatchObject([{ atMs: 20_000 }, { atMs: 40_000 }])
})

test('the button comes last, and only where there is one', () => {
  const questions = ['a', 'b', 'c'].map((id) => ({ id, type: 'slider' }))
  const acts = plan(viewOf(questions))
  expect(acts.map(({ kind }) => kind)).toEqual(['answer', 'answer', 'answer', 'ready'])
  expect(acts.map(({ dueMs }) => dueMs)).toEqual(acts.map(({ dueMs }) => dueMs).toSorted((x, y) => x - y))
  expect(plan(viewOf([], { endsOn: 'timed' }))).toEqual([])
  expect(plan(viewOf([], { isWaiting: true }))).toEqual([])
  expect(plan(viewOf([], {}, { ready: true }))).toEqual([])
})

test('a bot that comes back does what is left to do', () => {
  const check = { id: 'check', type: 'instructions', questions: [{ id: 'q', options: ['a', 'b'] }] }
  const components = [{ id: 'a', type: 'slider' }, { id: 'b', type: 'slider' }, check]
  const failed = { responses: { a: 5, check: {} }, results: { check: { passed: false, attemptsLeft: 1 } } }
  expect(plan(viewOf(components, {}, failed)).map(({ kind }) => kind)).toEqual(['answer', 'check', 'ready'])
  const passed = { ...failed, results: { check: { passed: true, attemptsLeft: 1 } } }
  expect(plan(viewOf(components, {}, passed)).map(({ kind }) => kind)).toEqual(['answer', 'ready'])
})

test('deadlines and reading times are kept, and speed divides everything else', () => {
  const questions = Array.from({ length: 20 }, (_, index) => ({ id: `q${index}`, type: 'text_input' }))
  const hurried = plan(viewOf(questions, { deadlineAt: now + 10_000 }))
  expect(hurried.at(-1)?.dueMs).toBeLessThan(10_000)
  expect(hurried).toHaveLength(21)
  const consent = { id: 'c', type: 'consent', minReadMs: 30_000 }
  const [agree] = plan(viewOf([consent]), 'a', 100)
  expect(agree?.dueMs).toBeGreaterThanOrEqual(30_000)
  const times = (speed: number) => answered(plan(viewOf([{ id: 'a', type: 'slider' }]), 'a', speed))
  expect((times(1)[0]?.[1] ?? 0) / (times(10)[0]?.[1] ?? 1)).toBeCloseTo(10)
})

test('reactions are not sent before they can have happened, and one alone goes as fast as everything else', () => {
  const reactions = (count: number) => ({
    ...{ id: 'keys', type: 'reaction_time', keys: ['f', 'j'], timeoutMs: 60_000 },
    trials: Array.from({ length: count }, () => ({ text: 'A', correctKey: 'f' })),
  })
  const dueMs = (count: number) => answered(plan(viewOf([reactions(count)]), 'a', 100))[0]?.[1]
  expect(dueMs(1)).toBeLessThan(500)
  expect(dueMs(20)).toBeGreaterThan(20_000)
})

test('answers that are given are picked from, instead of drawn', () => {
  const question = { id: 'word', type: 'text_input' }
  const answers = { word: ['apple', 'bridge'] }
  const [act] = planVisit({ view: viewOf([question]), now, draws: createDraws('a'), speed: 1, answers })
  expect(['apple', 'bridge']).toContain(act?.kind === 'answer' && act.value)
})

test('chats are used now and then, within their limits', () => {
  const chat = { id: 'chat', type: 'chat', maxLength: 12 }
  const said = ['a', 'b', 'c', 'd', 'e', 'f'].map((seed) =>
    plan(viewOf([chat]), seed).flatMap((act) => (act.kind === 'say' ? [act.text] : [])),
  )
  expect(said.some((texts) => texts.length > 0) && said.some((texts) => texts.length === 0)).toBe(true)
  for (const text of said.flat()) expect(text.length).toBeLessThanOrEqual(12)
})
