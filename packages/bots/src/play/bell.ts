/** Lets a bot wait for something to become true, looking again whenever it is rung. */
export function createBell() {
  const listeners = new Set<() => void>()
  return {
    ring(): void {
      for (const listener of [...listeners]) listener()
    },
    /** True once the check holds; false when the time is over first. */
    until(check: () => boolean, withinMs: number): Promise<boolean> {
      if (check()) return Promise.resolve(true)
      return new Promise((resolve) => {
        const end = (holds: boolean): void => {
          clearTimeout(timer)
          listeners.delete(look)
          resolve(holds)
        }
        const look = (): void => {
          if (check()) end(true)
        }
        const timer = setTimeout(() => end(false), withinMs)
        listeners.add(look)
      })
    },
  }
}

export type Bell = ReturnType<typeof createBell>
