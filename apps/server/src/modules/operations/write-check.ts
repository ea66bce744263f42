/**
 * How long a result is valid. A failure is checked again sooner, so that nobody avoids a server that has recovered.
 */
const holdsMs = { good: 2_000, bad: 1_000 }

/** Whether the store is writable, checked at most every few seconds, however many ask. */
export function createWriteCheck(check: () => Promise<void>, monotonicNow = () => performance.now()) {
  let answer: Promise<void> | undefined
  let holdsUntil = 0
  return (): Promise<void> => {
    if (answer && monotonicNow() < holdsUntil) return answer
    // Until there is a result, everybody waits for this one.
    holdsUntil = Number.POSITIVE_INFINITY
    const asked = check()
    answer = asked
    const hold = (ms: number) => {
      holdsUntil = monotonicNow() + ms
    }
    asked.then(
      () => hold(holdsMs.good),
      () => hold(holdsMs.bad),
    )
    return asked
  }
}
