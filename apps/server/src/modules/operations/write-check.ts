/** How long an answer holds. A failure is asked about again sooner, so that nobody stays away from a server that has recovered. */
const holdsMs = { good: 2_000, bad: 1_000 }

/** Whether the store can be written to, asked at most every few seconds, however many want to know. */
export function createWriteCheck(check: () => Promise<void>, monotonicNow = () => performance.now()) {
  let answer: Promise<void> | undefined
  let holdsUntil = 0
  return (): Promise<void> => {
    if (answer && monotonicNow() < holdsUntil) return answer
    // Until there is an answer, this one is the answer.
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
