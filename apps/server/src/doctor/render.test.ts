import { expect, test } from 'vitest'
import { ok, problem, warning } from './finding.ts'
import { isSound, jsonOf, renderFindings } from './render.ts'

const findings = [
  ok('Node', 'Node 24.'),
  warning('clock', 'It is late.', 'Set it.'),
  problem('Redis', 'It is away.', 'Start it.'),
]

test('[R50] findings are printed for people, with what to fix and a count', () => {
  expect(renderFindings(findings)).toBe(
    [
      'ok       Node: Node 24.',
      'warning  clock: It is late.',
      '         → Set it.',
      'PROBLEM  Redis: It is away.',
      '         → Start it.',
      '',
      '3 findings: 1 problem, 1 warning.',
      '',
    ].join('\n'),
  )
})

test('[R50] only problems make an installation unsound, in JSON too', () => {
  expect([isSound(findings), isSound(findings.slice(0, 2))]).toEqual([false, true])
  expect(JSON.parse(jsonOf(findings))).toEqual({ ok: false, findings })
})
