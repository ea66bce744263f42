import { startWorker } from '../harness/worker.ts'

export interface Crowd {
  baseUrl: string
  experimentId: string
  participants: number
  /** Reaction times are divided by this. */
  speed: number
}

export type BotsOrder =
  /** All bots join, are matched and play a game to its end. */
  | { kind: 'finish'; crowd: Crowd }
  /** The same with a game that has no end. Done when every bot is in a room. */
  | { kind: 'enter'; crowd: Crowd }
  /** The bots keep playing; counts what happens in this time. */
  | { kind: 'play'; ms: number }

export interface Played {
  /** The rooms of all bots. */
  roomIds: string[]
  refused: number
  latenciesMs: Float64Array
}

/** Bots in a worker process. */
export function startBots() {
  const worker = startWorker<BotsOrder, Played>(
    'process with the bots',
    new URL('./bot-worker.ts', import.meta.url),
  )
  return {
    finish: (crowd: Crowd) => worker.run({ kind: 'finish', crowd }),
    enter: (crowd: Crowd) => worker.run({ kind: 'enter', crowd }),
    play: (ms: number) => worker.run({ kind: 'play', ms }),
    stop: worker.stop,
  }
}
