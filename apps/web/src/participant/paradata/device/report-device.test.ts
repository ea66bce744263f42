import type { DeviceReport, ParadataKind } from '@atrium/contract'
import { expect, test } from 'vitest'
import { createDeviceReporter } from './report-device.ts'

/** A device that can be changed, with a clock of its own. */
function device(kinds: ParadataKind[], delayMs?: number) {
  const state = { shown: { viewportWidth: 390, inputKind: 'touch' } as DeviceReport, delayMs }
  const reports: DeviceReport[] = []
  let timer: { atMs: number; act: () => void } | undefined
  let nowMs = 0
  const reporter = createDeviceReporter({
    kinds,
    describe: () => state.shown,
    networkDelayMs: () => state.delayMs,
    report: (data) => void reports.push(data),
    after(ms, act) {
      const mine = { atMs: nowMs + ms, act }
      timer = mine
      return () => {
        if (timer === mine) timer = undefined
      }
    },
  })
  const pass = (ms: number) => {
    const end = nowMs + ms
    while (timer && timer.atMs <= end) {
      const { atMs, act } = timer
      timer = undefined
      nowMs = atMs
      act()
    }
    nowMs = end
  }
  const turn = (viewportWidth: number) => {
    state.shown = { ...state.shown, viewportWidth }
    reporter.changed()
  }
  return { state, reports, reporter, pass, turn }
}

test('[R93] a device is reported at once, and again when it has settled after a change', () => {
  const { reports, pass, turn } = device(['device'], 12)
  expect(reports).toEqual([{ viewportWidth: 390, inputKind: 'touch' }])
  turn(600)
  pass(900)
  turn(844)
  pass(900)
  expect(reports).toHaveLength(1)
  pass(100)
  expect(reports).toMatchObject([{}, { viewportWidth: 844 }])
  turn(845)
  pass(5_000)
  expect(reports).toHaveLength(2)
})

test('[R93] a device is reported at most twenty times', () => {
  const { reports, pass, turn } = device(['device'])
  for (let change = 1; change <= 40; change++) {
    turn(change % 2 ? 844 : 390)
    pass(2_000)
  }
  expect(reports).toHaveLength(20)
})

test('[R93] the delay of the network is part of a report, but no reason for one', () => {
  const { state, reports, reporter, pass, turn } = device(['device', 'network'], 30)
  state.delayMs = 20
  reporter.changed()
  pass(5_000)
  expect(reports).toEqual([{ viewportWidth: 390, inputKind: 'touch', networkDelayMs: 30 }])
  turn(844)
  pass(5_000)
  expect(reports[1]).toEqual({ viewportWidth: 844, inputKind: 'touch', networkDelayMs: 20 })
})

test('[R93] nothing is reported of what the study does not collect, and nothing once it was stopped', () => {
  const network = device(['network'], 7)
  network.turn(844)
  network.pass(5_000)
  expect(network.reports).toEqual([{ networkDelayMs: 7 }])
  const silent = device(['network'])
  silent.pass(60_000)
  expect(silent.reports).toEqual([])
  const stopped = device(['device'])
  stopped.turn(844)
  stopped.reporter.stop()
  stopped.pass(5_000)
  expect(stopped.reports).toHaveLength(1)
})
