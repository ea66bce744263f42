import type { ParadataKind } from '@atrium/contract'
import { expect, test } from 'vitest'
import { createMeter, type MeterDeps } from './meter.ts'

const place = { participantId: 'p', roomId: 'r', visit: 3 }
const all: ParadataKind[] = ['focus', 'paste', 'typing', 'device', 'network']

/** A tab, whose storage survives reloads, and which people leave. */
function tab(kinds = all) {
  const kept = new Map<string, string>()
  const storage: MeterDeps['storage'] = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
  }
  const state = { now: 1_700_000_000_000, isAway: false, delayMs: undefined as number | undefined }
  const load = (at = place) =>
    createMeter({
      ...{ kinds, place: at, storage },
      now: () => state.now,
      isAway: () => state.isAway,
      networkDelayMs: () => state.delayMs,
    })
  const pass = (ms: number) => {
    state.now += ms
  }
  return { state, load, pass }
}

test('[R93] leaving counts from the first paint of the component until it is answered', () => {
  const { pass, load } = tab(['focus'])
  const meter = load()
  meter.leave()
  pass(900)
  meter.comeBack()
  expect(meter.countedFor('early', false)).toBeUndefined()
  meter.painted('early')
  meter.leave()
  meter.leave()
  pass(2_000.4)
  meter.comeBack()
  meter.painted('late')
  meter.painted('early')
  meter.leave()
  pass(500)
  // The answer is sent while nobody is there: the time is up.
  expect(meter.countedFor('early', false)).toEqual({ focusLostCount: 2, focusLostMs: 2_500 })
  expect(meter.countedFor('late', false)).toEqual({ focusLostCount: 1, focusLostMs: 500 })
})

test('[R93] a component that appears while the page is left has been left once', () => {
  const { state, pass, load } = tab(['focus'])
  state.isAway = true
  const meter = load()
  pass(700)
  meter.painted('q')
  pass(300)
  meter.comeBack()
  expect(meter.countedFor('q', false)).toEqual({ focusLostCount: 1, focusLostMs: 300 })
})

test('[R93] what was counted goes on after a reload, also while the page is left, but not in another visit', () => {
  const { state, pass, load } = tab()
  const before = load()
  before.painted('q')
  before.pressed('q')
  pass(200)
  before.pressed('q')
  before.deleted('q')
  before.pasted('q', 40)
  before.leave()
  pass(1_000)
  const after = load()
  pass(4_000)
  after.pressed('q')
  after.pasted('q', 2)
  expect(after.countedFor('q', true)).toEqual({
    ...{ focusLostCount: 1, focusLostMs: 1_000, pasteCount: 2, pastedCharacters: 42 },
    ...{ keystrokes: 3, deletions: 1, keyIntervalMedianMs: 2_600, longestPauseMs: 5_000 },
  })
  state.delayMs = 31
  expect(load({ ...place, visit: 4 }).countedFor('q', true)).toEqual({
    ...{ pasteCount: 0, pastedCharacters: 0, keystrokes: 0, deletions: 0, networkDelayMs: 31 },
  })
})

test('[R93] only what the study collects is said, and nothing of writing where nothing can be written', () => {
  const { pass, load, state } = tab(['paste', 'network'])
  const meter = load()
  meter.painted('q')
  meter.pressed('q')
  meter.leave()
  pass(5)
  expect(meter.countedFor('q', true)).toEqual({ pasteCount: 0, pastedCharacters: 0 })
  expect(meter.countedFor('q', false)).toBeUndefined()
  state.delayMs = 31
  expect(meter.countedFor('q', false)).toEqual({ networkDelayMs: 31 })
  expect(tab(['device']).load().countedFor('q', true)).toBeUndefined()
})

test('[R93] storage that fails loses nothing but what was counted before a reload', () => {
  const storage: MeterDeps['storage'] = {
    getItem: () => 'no JSON',
    setItem: () => {
      throw new Error('full')
    },
  }
  const meter = createMeter({
    ...{ kinds: all, place, storage },
    now: () => 0,
    isAway: () => false,
    networkDelayMs: () => undefined,
  })
  meter.pasted('q', 3)
  expect(meter.countedFor('q', true)).toMatchObject({ pasteCount: 1, pastedCharacters: 3 })
})

test('[R93] what the server would refuse is left out, so that it takes the answer', () => {
  const { load, state, pass } = tab()
  const meter = load()
  meter.painted('constructor')
  meter.leave()
  pass(Number.POSITIVE_INFINITY)
  meter.pasted('toString', 3)
  state.delayMs = Number.NaN
  expect(meter.countedFor('constructor', true)).toEqual({
    ...{ focusLostCount: 1, pasteCount: 0, pastedCharacters: 0, keystrokes: 0, deletions: 0 },
  })
  expect(meter.countedFor('toString', false)).toEqual({ pasteCount: 1, pastedCharacters: 3 })
  expect(meter.countedFor('valueOf', false)).toBeUndefined()
})
