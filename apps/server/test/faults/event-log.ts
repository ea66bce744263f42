export interface LoadEntry {
  kind: 'sent' | 'acknowledged' | 'refused' | 'unreachable' | 'undocumented'
  sessionId: string
  /** Batch n holds the values n·size … n·size + size − 1. */
  batch: number
  server: number
  status?: number
  reason?: string
}

export interface StoredLine {
  sessionId: string
  seq: number
  data: Record<string, unknown>
}

/** Expected while something is unavailable; any other refusal is a fault of the server or of the test. */
const expectedRefusals = [503]

/**
 * Compares what was sent and acknowledged with what is stored (I1, I2): every acknowledged batch once, complete and
 * in order; an unacknowledged one at most once and complete; nothing that was never sent.
 */
export function findFaults(
  log: readonly LoadEntry[],
  stored: readonly StoredLine[],
  eventsPerBatch: number,
): string[] {
  const sessionIds = new Set([...log, ...stored].map(({ sessionId }) => sessionId))
  const strange = log.flatMap((entry) => {
    if (entry.kind === 'undocumented') return [`undocumented answer: ${entry.reason}`]
    const isStrange = entry.kind === 'refused' && !expectedRefusals.includes(entry.status ?? 0)
    return isStrange ? [`status ${entry.status} for batch ${entry.batch} of ${entry.sessionId}`] : []
  })
  return [
    ...strange,
    ...[...sessionIds].flatMap((sessionId) =>
      faultsOfSession(
        log.filter((entry) => entry.sessionId === sessionId),
        stored.filter((line) => line.sessionId === sessionId),
        eventsPerBatch,
      ).map((fault) => `${sessionId}: ${fault}`),
    ),
  ]
}

function faultsOfSession(log: LoadEntry[], stored: StoredLine[], eventsPerBatch: number): string[] {
  const batchesOf = (kind: LoadEntry['kind']) =>
    new Set(log.filter((entry) => entry.kind === kind).map(({ batch }) => batch))
  const [sent, acknowledged] = [batchesOf('sent'), batchesOf('acknowledged')]
  const values = stored.map(({ data }) => Number(data.value))
  const faults: string[] = []
  if (stored.some(({ seq }, index) => seq !== index + 1)) faults.push('sequence numbers have holes')
  const inOrder = values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0))
  if (!inOrder) faults.push(`out of order or doubled: ${values.join(' ')}`)
  const counts = new Map<number, number>()
  for (const value of values) {
    const batch = Math.floor(value / eventsPerBatch)
    counts.set(batch, (counts.get(batch) ?? 0) + 1)
  }
  for (const [batch, count] of counts) {
    if (!sent.has(batch)) faults.push(`batch ${batch} is stored but was never sent`)
    if (count !== eventsPerBatch) faults.push(`batch ${batch} has ${count} of ${eventsPerBatch} events`)
  }
  for (const batch of acknowledged)
    if (!counts.has(batch)) faults.push(`batch ${batch} was acknowledged but is not stored`)
  return faults
}
