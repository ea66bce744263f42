const refreshEveryMs = 1_000
const requestTimeoutMs = 1_000

/**
 * Which instance each configured backend is: as configured, or as it reports at `/health/pod`. Needed for instances without a
 * lease in our Redis, such as instances of another version. A backend that does not respond has no name.
 */
export function createBackendNames(origins: readonly string[], configured: ReadonlyMap<string, string>) {
  const reported = new Map<string, string>()
  const unnamed = origins.filter((origin) => ![...configured.values()].includes(origin))
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function refresh(origin: string): Promise<void> {
    const podId = await fetchPodId(origin).catch(() => undefined)
    for (const [name, known] of reported) if (known === origin) reported.delete(name)
    if (podId !== undefined) reported.set(podId, origin)
  }

  async function refreshAll(): Promise<void> {
    if (unnamed.length === 0) return
    await Promise.all(unnamed.map(refresh))
    if (!isStopped) timer = setTimeout(refreshAll, refreshEveryMs)
  }

  return {
    start: refreshAll,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
    find: (podId: string): string | undefined => configured.get(podId) ?? reported.get(podId),
  }
}

async function fetchPodId(origin: string): Promise<string | undefined> {
  const response = await fetch(`${origin}/health/pod`, { signal: AbortSignal.timeout(requestTimeoutMs) })
  const body: unknown = await response.json()
  const { podId } = (typeof body === 'object' && body !== null ? body : {}) as { podId?: unknown }
  return response.ok && typeof podId === 'string' ? podId : undefined
}
