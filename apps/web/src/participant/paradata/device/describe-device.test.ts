import { DeviceReport } from '@atrium/contract'
import { Check } from 'typebox/schema'
import { expect, test } from 'vitest'
import { type DeviceWindow, describeDevice, hasChanged } from './describe-device.ts'

const windowWith = (features: readonly string[], more: Partial<DeviceWindow> = {}): DeviceWindow => ({
  innerWidth: 1_280.4,
  innerHeight: 720,
  devicePixelRatio: 1.3333334,
  matchMedia: (query) => ({ matches: features.some((feature) => query === `(${feature})`) }),
  navigator: {
    userAgent: 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    maxTouchPoints: 0,
    language: 'en-GB',
  },
  timeZone: () => 'Europe/Berlin',
  ...more,
})

test('[R93] a device is described by families and sizes', () => {
  const report = describeDevice(windowWith(['any-pointer: fine', 'any-hover: hover']))
  expect(report).toEqual({
    ...{ deviceClass: 'computer', browser: 'firefox', system: 'linux', inputKind: 'pointer' },
    ...{ viewportWidth: 1_280, viewportHeight: 720, pixelRatio: 1.33 },
    ...{ deviceLanguage: 'en-GB', timeZone: 'Europe/Berlin' },
  })
  expect(Check(DeviceReport, report)).toBe(true)
})

test('[R93] what would be refused is left out or limited', () => {
  const odd = describeDevice(
    windowWith([], {
      innerWidth: 1e9,
      devicePixelRatio: 900,
      navigator: { userAgent: '', maxTouchPoints: 0, language: 'en-US@posix' },
      timeZone: () => '',
    }),
  )
  expect(odd).not.toHaveProperty('deviceLanguage')
  expect(odd).not.toHaveProperty('timeZone')
  expect(Check(DeviceReport, odd)).toBe(true)
  const unsaid = describeDevice(windowWith([], { devicePixelRatio: Number.NaN }))
  expect(Check(DeviceReport, unsaid)).toBe(true)
})

test.each([
  ['touch', ['any-pointer: coarse']],
  ['touch', ['any-pointer: coarse', 'any-hover: hover']],
  ['touch', ['any-pointer: coarse', 'any-pointer: fine']],
  ['both', ['any-pointer: coarse', 'any-pointer: fine', 'any-hover: hover']],
  ['pointer', ['any-pointer: fine', 'any-hover: hover']],
  ['pointer', ['any-pointer: fine']],
  ['keyboard', []],
])('[R93] the input is %s with %j', (inputKind, features) => {
  expect(describeDevice(windowWith(features)).inputKind).toBe(inputKind)
})

test('[R93] a turned device, a new mouse or another language is a change; a bar that hides is none', () => {
  const phone = { viewportWidth: 390, viewportHeight: 844, inputKind: 'touch', deviceLanguage: 'en' } as const
  expect(hasChanged(phone, { ...phone, viewportHeight: 480, networkDelayMs: 9 })).toBe(false)
  expect(hasChanged(phone, { ...phone, viewportWidth: 400 })).toBe(false)
  expect(hasChanged(phone, { ...phone, viewportWidth: 844, viewportHeight: 390 })).toBe(true)
  expect(hasChanged(phone, { ...phone, inputKind: 'both' })).toBe(true)
  expect(hasChanged(phone, { ...phone, deviceLanguage: 'de' })).toBe(true)
  const computer = { ...phone, inputKind: 'pointer' } as const
  expect(hasChanged(computer, { ...computer, viewportHeight: 480 })).toBe(true)
})
