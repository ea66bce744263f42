// The worker process that sends HTTP requests, started by `http-load.ts`.
import { serveOrders } from '../harness/worker.ts'
import { openConnection, requestBytes } from './http-connection.ts'
import type { LoadOrder, LoadOutcome } from './http-load.ts'

async function makeLoad(order: LoadOrder): Promise<LoadOutcome> {
  const requests = order.lanes.map(({ headers, body }) =>
    requestBytes(order, headers ?? {}, body ?? order.body),
  )
  const latenciesMs: number[] = []
  const failures: Record<string, number> = {}
  const bodies: string[] = []
  let sent = 0
  let deadline = 0

  async function client(): Promise<void> {
    let finish: () => void = () => undefined
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    let sentAt = 0
    let lane = 0
    const connection = await openConnection(order.address, ({ status, body }) => {
      const now = performance.now()
      latenciesMs.push(now - sentAt)
      if (status !== 200) failures[status] = (failures[status] ?? 0) + 1
      if (order.collect) bodies[lane] = body.toString()
      next(now)
    })
    function next(now: number): void {
      if (sent >= order.maxRequests || now >= deadline) {
        finish()
        return
      }
      lane = (order.firstLane + sent++) % requests.length
      sentAt = now
      connection.send(requests[lane] ?? Buffer.alloc(0))
    }
    starters.push(() => next(performance.now()))
    finishes.push(Promise.race([finished, connection.broken]).finally(connection.close))
  }

  const starters: (() => void)[] = []
  const finishes: Promise<void>[] = []
  await Promise.all(Array.from({ length: order.clients }, client))
  const startedAt = performance.now()
  deadline = startedAt + order.maxMs
  for (const start of starters) start()
  await Promise.all(finishes)
  return {
    requests: latenciesMs.length,
    ms: performance.now() - startedAt,
    latenciesMs: new Float64Array(latenciesMs),
    failures,
    bodies,
  }
}

serveOrders(makeLoad)
