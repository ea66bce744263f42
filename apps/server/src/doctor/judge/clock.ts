import { type Finding, ok, problem, warning } from '../finding.ts'

export interface ClockFacts {
  /** Whose clock ours is compared with. */
  other: string
  /** How far the other one is ahead of ours. */
  aheadMs: number
}

const noticeableMs = 2_000
/** Most identity providers and stores refuse what is older or newer than a few minutes. */
const harmfulMs = 60_000

export function judgeClock({ other, aheadMs }: ClockFacts): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const found = `The clock of ${other} is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the one of this machine.`
  const mend = 'Let NTP set the clocks of both machines.'
  if (Math.abs(aheadMs) < noticeableMs)
    return ok('clock', `It agrees with that of ${other} to within ${noticeableMs / 1000} s.`)
  return Math.abs(aheadMs) < harmfulMs ? warning('clock', found, mend) : problem('clock', found, mend)
}
