import type { Clock } from '../../kernel/clock.ts'

/** Keys with a time to live, as in Redis: a key that is not set again in time disappears. */
export function createLapsingMap<Value>(clock: Clock) {
  const kept = new Map<string, { value: Value; until: number }>()
  return {
    set: (key: string, value: Value, forMs: number) =>
      void kept.set(key, { value, until: clock.now() + forMs }),
    get(key: string): Value | undefined {
      const found = kept.get(key)
      if (found && found.until > clock.now()) return found.value
      kept.delete(key)
      return undefined
    },
    delete: (key: string) => void kept.delete(key),
    keys: (): string[] => [...kept.keys()],
  }
}
