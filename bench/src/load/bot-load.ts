import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Crowd {
  baseUrl: string
  experimentId: string
  participants: number
  /** Reaction times are divided by it. */
  speed: number
}

export type BotsOrder =
  /** All of them join, are matched and play a game to its end. */
  | { kind: 'finish'; crowd: Crowd }
  /** The same with a game that has no end: done when each is in a room. */
  | { kind: 'enter'; crowd: Crowd }
  /** They play anyway; what comes in this time is counted. */
  | { kind: 'play'; ms: number }

export interface Played {
  /** Where everyone is. */
  roomIds: string[]
  refused: number
  latenciesMs: Float64Array
}

export type BotsReply = { ok: true; played: Played } | { ok: false; message: string }

export type Bots = ReturnType<typeof startBots>

const program = fileURLToPath(new URL('./bot-worker.ts', import.meta.url))

/** The bots live in a process of their own, so that their work is never counted as the platform's. */
export function startBots() {
  const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const lost = ended.then((): never => {
    throw new Error('the process with the bots ended in the middle of a game')
  })
  lost.catch(() => undefined) // It also ends when we are done; then nobody waits for this.

  async function follow(order: BotsOrder): Promise<Played> {
    const answered = once(child, 'message') as Promise<[BotsReply]>
    child.send(order)
    const [reply] = await Promise.race([answered, lost])
    if (!reply.ok) throw new Error(`the bots could not play on, so nothing was measured: ${reply.message}`)
    return reply.played
  }

  return {
    finish: (crowd: Crowd) => follow({ kind: 'finish', crowd }),
    enter: (crowd: Crowd) => follow({ kind: 'enter', crowd }),
    play: (ms: number) => follow({ kind: 'play', ms }),
    async stop(): Promise<void> {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
