import { parseArgs } from 'node:util'
import { limits } from '../packages/contract/src/index.ts'
import { Misuse, positive } from './study-arguments.ts'

export interface PilotArguments {
  /** A definition file, an example, or the id of an experiment of the server. */
  name: string
  agentsFile: string
  rooms: number
  /** Undefined: fast with scripted agents, at its own pace with models. */
  speed: number | undefined
  /** Rooms that have not ended by then have not finished. */
  minutes: number
  server: string | undefined
  /** An ID token of a researcher; of the development issuer when absent. */
  token: string | undefined
  /** Where the data goes; a new folder when absent. */
  out: string | undefined
}

export const pilotUsage = `npm run simulate -- <experiment> --agents <personas.json> [--rooms 1] [--speed 20] [--minutes 30] [--out <folder>]
  [--server http://… [--token <ID token>]]`

const maxMinutes = 24 * 60

export const asksForAgents = (argv: readonly string[]): boolean =>
  argv.some((argument) => argument === '--agents' || argument.startsWith('--agents='))

export function readPilotArguments(usage: string): PilotArguments {
  const { values, positionals } = parseCommandLine(usage)
  const { agents, speed, server, token, out } = values
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0 || agents === undefined) throw new Misuse(usage)
  const rooms = positive('--rooms', values.rooms, limits.pilotRooms)
  if (!Number.isInteger(rooms)) throw new Misuse('--rooms must be a whole number')
  return {
    name,
    agentsFile: agents,
    rooms,
    speed: speed === undefined ? undefined : positive('--speed', speed, 1_000),
    minutes: positive('--minutes', values.minutes, maxMinutes),
    server,
    // An argument can be seen by others on the machine; the environment cannot.
    token: token ?? process.env.ATRIUM_TOKEN,
    out,
  }
}

function parseCommandLine(usage: string) {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        agents: { type: 'string' },
        rooms: { type: 'string', default: '1' },
        speed: { type: 'string' },
        minutes: { type: 'string', default: '30' },
        server: { type: 'string' },
        token: { type: 'string' },
        out: { type: 'string' },
      },
    })
  } catch (error) {
    throw new Misuse(`${(error as Error).message}\n${usage}`)
  }
}
