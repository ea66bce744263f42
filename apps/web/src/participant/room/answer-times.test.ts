import { expect, test } from 'vitest'
import { type AnswerTimesDeps, createAnswerTimes } from './answer-times.ts'

const hourMs = 3_600_000
const place = { participantId: 'p', roomId: 'r', visit: 3 }

/** A tab, whose storage survives reloads, on a device whose clock anybody can set. */
function tab() {
  const kept = new Map<string, string>()
  const storage: AnswerTimesDeps['storage'] = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
  }
  let passedMs = 0
  let wallMs = 1_600_000_000_000
  let loadedAtMs = 0
  return {
    pass: (ms: number) => {
      passedMs += ms
    },
    set: (ms: number) => {
      wallMs += ms
    },
    /** Loads the page; its monotonic clock begins anew, and it learns the server's time, late by `latencyMs`. */
    load({ at = place, latencyMs = 0 } = {}) {
      loadedAtMs = passedMs
      return createAnswerTimes({
        steadyNow: () => passedMs - loadedAtMs,
        wallNow: () => wallMs + passedMs,
        serverNow: () => 1_700_000_000_000 + passedMs - latencyMs,
        place: at,
        storage,
      })
    },
  }
}

test('[R88] times count from the first paint, and typing in one go is one answer', () => {
  const { pass, load } = tab()
  const times = load()
  pass(300)
  times.painted('q')
  pass(1_000)
  times.painted('q')
  times.touched('q')
  for (let key = 0; key < 5; key++) {
    pass(100)
    times.changed('q')
  }
  times.settled('q')
  pass(9_000)
  expect(times.timingOf('q')).toEqual({ responseTime: 1_500, firstInteractionMs: 1_000, changes: 0 })
  times.changed('q')
  expect(times.timingOf('q')).toEqual({ responseTime: 10_500, firstInteractionMs: 1_000, changes: 1 })
})

test('[R88] after a reload, times go on from the first paint', () => {
  const { pass, load } = tab()
  const before = load()
  before.painted('q')
  pass(700)
  before.touched('q')
  before.changed('q')
  pass(25 * hourMs)
  const after = load()
  expect(after.isPainted('q')).toBe(true)
  expect(after.timingOf('q')).toEqual({ responseTime: 700, firstInteractionMs: 700, changes: 0 })
  pass(50)
  after.changed('q')
  const ms = 25 * hourMs + 750
  expect(after.timingOf('q')).toEqual({ responseTime: ms, firstInteractionMs: 700, changes: 1 })
  expect(load({ at: { ...place, visit: 4 } }).timingOf('q')).toEqual({ changes: 0 })
})

test('[R88] how long the server’s time takes to arrive does not matter, even if it differs after a reload', () => {
  for (const [before, after] of [
    [20, 1_400],
    [1_400, 20],
  ]) {
    const { pass, load } = tab()
    load({ latencyMs: before }).painted('q')
    pass(3_000)
    const times = load({ latencyMs: after })
    pass(1_000)
    times.changed('q')
    expect(times.timingOf('q').responseTime).toBe(4_000)
  }
})

test('[R88] a clock that was set between two loads changes no times either', () => {
  for (const jumpMs of [hourMs, -25 * hourMs]) {
    const { pass, load, set } = tab()
    load().painted('q')
    pass(3_000)
    set(jumpMs)
    const times = load({ latencyMs: 30 })
    pass(1_000)
    times.changed('q')
    expect(times.timingOf('q').responseTime).toBe(3_970)
  }
})

test('[R88] setting the clock of the device changes nothing within a page', () => {
  let server = 1_700_000_000_000
  let steady = 0
  const storage = { getItem: () => null, setItem: () => undefined }
  const serverNow = () => server
  const times = createAnswerTimes({ steadyNow: () => steady, wallNow: serverNow, serverNow, place, storage })
  times.painted('q')
  // What follows from the device’s clock jumps by a day and an hour, in both directions.
  for (const jumpMs of [25 * hourMs, -50 * hourMs]) {
    server += jumpMs
    steady += 400
  }
  times.changed('q')
  expect(times.timingOf('q')).toMatchObject({ responseTime: 800 })
})

test('[R88] what was never visible has no response time, and storage that fails loses nothing else', () => {
  const storage: AnswerTimesDeps['storage'] = {
    getItem: () => 'no JSON',
    setItem: () => {
      throw new Error('full')
    },
  }
  let now = 0
  const clock = () => now
  const times = createAnswerTimes({ steadyNow: clock, wallNow: clock, serverNow: clock, place, storage })
  times.changed('q')
  expect(times.timingOf('q')).toEqual({ changes: 0 })
  times.painted('other')
  now = 20
  expect(times.timingOf('other')).toEqual({ responseTime: 20, changes: 0 })
})

test('[R93] what a study collects besides goes with the answer, counted from the same paint by the same clock', () => {
  const painted: string[] = []
  const times = createAnswerTimes({
    ...{ steadyNow: () => 400, wallNow: () => 1_000, serverNow: () => 1_000, place },
    storage: { getItem: () => null, setItem: () => undefined },
    meterIn: (at, now) => ({
      painted: (id) => void painted.push(`${id} at ${now()} in visit ${at.visit}`),
      listenTo: () => () => undefined,
      paradataOf: (id) => (id === 'q' ? { pasteCount: 1 } : undefined),
    }),
  })
  times.painted('q')
  times.painted('q')
  expect(painted).toEqual(['q at 1000 in visit 3'])
  expect(times.timingOf('q')).toEqual({ responseTime: 0, changes: 0, paradata: { pasteCount: 1 } })
  expect(times.timingOf('other')).toEqual({ changes: 0 })
})

test('[R93] an answer is sent even if what is measured besides fails', () => {
  const times = createAnswerTimes({
    ...{ steadyNow: () => 400, wallNow: () => 1_000, serverNow: () => 1_000, place },
    storage: { getItem: () => null, setItem: () => undefined },
    meterIn: () => ({
      painted: () => undefined,
      listenTo: () => () => undefined,
      paradataOf: () => {
        throw new TypeError('kept by another release')
      },
    }),
  })
  times.painted('q')
  expect(times.timingOf('q')).toEqual({ responseTime: 0, changes: 0 })
})
