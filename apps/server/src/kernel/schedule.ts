/** Runs `action` after `ms`, unless the returned function is called before. Passed in, so that tests need not wait. */
export type Schedule = (ms: number, action: () => void) => () => void

export const systemSchedule: Schedule = (ms, action) => {
  const timer = setTimeout(action, ms)
  return () => clearTimeout(timer)
}
