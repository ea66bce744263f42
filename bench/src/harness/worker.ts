import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

type Reply<Result> = { ok: true; result: Result } | { ok: false; message: string }

/** A program in its own process, so that its work is never counted as the server's. It carries out one order at a time. */
export interface Worker<Order, Result> {
  run(order: Order): Promise<Result>
  stop(): Promise<void>
}

/** Starts a program that calls `serveOrders`. */
export function startWorker<Order extends object, Result>(name: string, program: URL): Worker<Order, Result> {
  const child = fork(fileURLToPath(program), {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const died = ended.then((): never => {
    throw new Error(`the ${name} ended in the middle of a round`)
  })
  died.catch(() => undefined) // It also ends in `stop`, when nobody waits for this.

  return {
    async run(order) {
      const replied = once(child, 'message') as Promise<[Reply<Result>]>
      child.send(order)
      const [reply] = await Promise.race([replied, died])
      if (!reply.ok) throw new Error(`the ${name} failed, so nothing was measured: ${reply.message}`)
      return reply.result
    },
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** The worker's side: carries out each order and replies with its result. Ends with the process that started it. */
export function serveOrders<Order, Result>(carryOut: (order: Order) => Promise<Result>): void {
  process.on('message', async (order: Order) => {
    const reply = await carryOut(order).then(
      (result): Reply<Result> => ({ ok: true, result }),
      (error: Error): Reply<Result> => ({ ok: false, message: error.message }),
    )
    process.send?.(reply)
  })
  process.on('disconnect', () => process.exit(0))
}
