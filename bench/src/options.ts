import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type EngineName, engineNames } from './harness/engines.ts'

export const benchNames = [
  'events',
  'join',
  'discover',
  'memory',
  'rooms',
  'matching',
  'router',
  'scale-out',
] as const
export type BenchName = (typeof benchNames)[number]

/** How large a run is. */
export interface BenchOptions {
  /** The length of a round at most. */
  seconds: number
  rounds: number
  clients: number
  /** How many participants take part; each may ask 100 times a minute. */
  sessions: number
  memoryRequests: number
  /** Participants in rooms, and what they do together per second. */
  sockets: number
  actionsPerSecond: number
  /** Bots that play on the largest cluster. */
  participants: number
  profileFolder?: string | undefined
  /** Another checkout of this project, whose programs are measured in turns with ours. */
  beforeFolder?: string | undefined
}

export const usualOptions: BenchOptions = {
  seconds: 10,
  rounds: 3,
  clients: 64,
  sessions: 2_000,
  memoryRequests: 200_000,
  sockets: 1_000,
  actionsPerSecond: 400,
  participants: 360,
}

export interface Command {
  benches: BenchName[]
  engines: EngineName[]
  options: BenchOptions
  /** Whether the results become docs/benchmarks.md, and those of scale-out docs/capacity.md. */
  write: boolean
}

export const usage = `npm run bench -- [events] [join] [discover] [memory] [rooms] [matching] [router] [scale-out] [options]

  --engine sqlite|postgres   only this engine (both)
  --seconds <n>              length of a round (${usualOptions.seconds})
  --rounds <n>               rounds of each server, after one to warm up (${usualOptions.rounds})
  --clients <n>              concurrent keep-alive clients (${usualOptions.clients})
  --sessions <n>             participants (${usualOptions.sessions})
  --requests <n>             requests of the memory benchmark (${usualOptions.memoryRequests})
  --sockets <n>              participants in rooms of four (${usualOptions.sockets})
  --actions <n>              messages per second in all rooms (${usualOptions.actionsPerSecond})
  --participants <n>         bots on a cluster of four pods; as many on each pod of one and two (${usualOptions.participants})
  --profile <folder>         leave V8's profiles of Atrium in this folder
  --before <checkout>        measure the programs of another checkout in the same run (events, rooms, router)
  --write                    write the results to docs/benchmarks.md, of scale-out to docs/capacity.md
`

export function readCommand(args: string[]): Command {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      engine: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      clients: { type: 'string' },
      sessions: { type: 'string' },
      requests: { type: 'string' },
      sockets: { type: 'string' },
      actions: { type: 'string' },
      participants: { type: 'string' },
      profile: { type: 'string' },
      before: { type: 'string' },
      write: { type: 'boolean', default: false },
    },
  })
  return {
    benches: positionals.length === 0 ? [...benchNames] : positionals.map((name) => oneOf(benchNames, name)),
    engines: values.engine === undefined ? [...engineNames] : [oneOf(engineNames, values.engine)],
    options: {
      seconds: positive(values.seconds, usualOptions.seconds),
      rounds: positive(values.rounds, usualOptions.rounds),
      clients: positive(values.clients, usualOptions.clients),
      sessions: positive(values.sessions, usualOptions.sessions),
      memoryRequests: positive(values.requests, usualOptions.memoryRequests),
      sockets: positive(values.sockets, usualOptions.sockets),
      actionsPerSecond: positive(values.actions, usualOptions.actionsPerSecond),
      participants: positive(values.participants, usualOptions.participants),
      profileFolder: values.profile,
      // Programs are started in folders of their own.
      beforeFolder: values.before && resolve(values.before),
    },
    write: values.write,
  }
}

function oneOf<Name extends string>(names: readonly Name[], given: string): Name {
  const found = names.find((name) => name === given)
  if (found === undefined) throw new Error(`‘${given}’ is none of ${names.join(', ')}`)
  return found
}

function positive(given: string | undefined, fallback: number): number {
  const value = given === undefined ? fallback : Number(given)
  if (!(value > 0)) throw new Error(`‘${given}’ is not a number above 0`)
  return value
}
