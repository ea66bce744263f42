const askEveryMs = 1_000
const patienceMs = 1_000

/**
 * Which pod each configured backend is: as configured, or as it says itself at `/health/pod`. For pods that have no
 * lease in our directory, such as instances of another version; one that does not answer is nobody.
 */
export function nameBackends(origins: readonly string[], given: ReadonlyMap<string, string>) {
  const said = new Map<string, string>()
  const nameless = origins.filter((origin) => ![...given.values()].includes(origin))
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function ask(origin: string): Promise<void> {
    const podId = await podIdAt(origin).catch(() => undefined)
    for (const [name, known] of said) if (known === origin) said.delete(name)
    if (podId !== undefined) said.set(podId, origin)
  }

  async function askAll(): Promise<void> {
    if (nameless.length === 0) return
    await Promise.all(nameless.map(ask))
    if (!isStopped) timer = setTimeout(askAll, askEveryMs)
  }

  return {
    start: askAll,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
    find: (podId: string): string | undefined => given.get(podId) ?? said.get(podId),
  }
}

async function podIdAt(origin: string): Promise<string | undefined> {
  const answer = await fetch(`${origin}/health/pod`, { signal: AbortSignal.timeout(patienceMs) })
  const body: unknown = await answer.json()
  const { podId } = (typeof body === 'object' && body !== null ? body : {}) as { podId?: unknown }
  return answer.ok && typeof podId === 'string' ? podId : undefined
}
