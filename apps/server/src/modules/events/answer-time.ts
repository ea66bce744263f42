/** Clocks tick at slightly different speeds, and pages measure the start of a state a little early. */
const toleranceMs = 1_000

/** E41: whether a response time cannot be true: longer than the answer can have taken, or over before its first interaction. */
export function isImplausibleTime(
  { responseTime, firstInteractionMs = 0 }: { responseTime?: unknown; firstInteractionMs?: unknown },
  mostMs: number,
): boolean {
  const times = [responseTime, firstInteractionMs].filter((time) => typeof time === 'number')
  if (times.some((ms) => ms < 0 || ms > mostMs + toleranceMs)) return true
  return (
    typeof responseTime === 'number' &&
    typeof firstInteractionMs === 'number' &&
    firstInteractionMs > responseTime + toleranceMs
  )
}
