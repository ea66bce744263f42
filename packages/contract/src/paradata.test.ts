import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { validatorForEvent } from './event-validator.ts'
import { deviceParadata } from './paradata.ts'
import { roomActions } from './room/actions.ts'
import { issuesOf } from './value-issues.ts'

const submitted = Compile(roomActions.submit_response)

/** What is said of an answer with such paradata, sent over HTTP and in a room. */
function saidOfAnswer(paradata: unknown): string[][] {
  const event = { type: 'component_response', componentId: 'c', timestamp: 1, data: { value: 1, paradata } }
  const action = { actionId: 'a', componentId: 'c', value: 1, paradata }
  return [
    issuesOf(validatorForEvent(event), event, ''),
    issuesOf(submitted, action, '').map(({ path, message }) => ({ path: `/data${path}`, message })),
  ].map((issues) => issues.map(({ path, message }) => `${path} ${message}`))
}

function saidOfDevice(data: unknown): string[] {
  const event = { type: 'device_report', timestamp: 1, data }
  return issuesOf(validatorForEvent(event), event, '').map(({ path, message }) => `${path} ${message}`)
}

test('[R93] what a page measured of an answer is numbers within bounds, and nothing else', () => {
  const cases: [paradata: unknown, said: string][] = [
    [{ pastedText: 'secret' }, '/pastedText is not a known field'],
    [JSON.parse('{"__proto__": {"text": "secret"}}'), '/__proto__ is not a known field'],
    [{ pastedCharacters: 'secret' }, '/pastedCharacters must be a whole number'],
    [{ pasteCount: -1 }, '/pasteCount must be at least 0'],
    [{ keystrokes: 1.5 }, '/keystrokes must be a whole number'],
    [{ deletions: 1e10 }, '/deletions must be at most 2147483647'],
    [{ focusLostMs: -1 }, '/focusLostMs must be at least 0'],
    [{ longestPauseMs: 1e300 }, '/longestPauseMs must be at most 8640000000000000'],
    [{ keyIntervalMedianMs: null }, '/keyIntervalMedianMs must be a number'],
    ['secret', ' must be an object'],
    [null, ' must be an object'],
  ]
  for (const [paradata, said] of cases)
    expect(saidOfAnswer(paradata)).toEqual([[`/data/paradata${said}`], [`/data/paradata${said}`]])
  for (const fine of [{}, { focusLostCount: 0, pastedCharacters: 2_147_483_647, networkDelayMs: 12.5 }])
    expect(saidOfAnswer(fine)).toEqual([[], []])
})

test('[R93] a report on a device has families, sizes and names of languages and zones, and nothing else', () => {
  const cases: [data: unknown, said: string][] = [
    ['phone', ' must be an object'],
    [{ userAgent: 'Mozilla/5.0' }, '/userAgent is not a known field'],
    [{ deviceClass: 'fridge' }, '/deviceClass must be one of ‘phone’, ‘tablet’, ‘computer’'],
    [{ viewportWidth: 0.5 }, '/viewportWidth must be a whole number'],
    [{ viewportHeight: 1e9 }, '/viewportHeight must be at most 100000'],
    [{ pixelRatio: 1_000 }, '/pixelRatio must be at most 100'],
  ]
  for (const [data, said] of cases) expect(saidOfDevice(data)).toEqual([`/data${said}`])
  for (const odd of ['', '=1+1', 'de\u0000', 'my name is Ada', 'x'.repeat(65)])
    for (const field of ['deviceLanguage', 'timeZone'])
      expect(saidOfDevice({ [field]: odd })).toEqual([
        `/data/${field} is empty, too long, or contains characters that are not allowed`,
      ])
  for (const browser of deviceParadata.device.browser.enum)
    expect(saidOfDevice({ browser, timeZone: 'America/Argentina/Rio_Gallegos' })).toEqual([])
  expect(saidOfDevice({})).toEqual([])
})
