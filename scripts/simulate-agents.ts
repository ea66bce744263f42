// `npm run simulate -- study.json --agents personas.json`: agents play a study in every seat, and the command says what
// happened and where the data is.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { speedUp, speedUpAgent } from '@atrium/bots'
import {
  type Api,
  type ApiResponse,
  createApi,
  createResearcher,
  linesOf,
  startServer,
} from '@atrium/testkit/without-vitest'
import {
  type Agent,
  type AgentTurnRecord,
  agentTurnRoutes,
  type ExperimentDefinition,
  type ExportedEvent,
  experimentRoutes,
  type PilotBody,
  type PilotSummary,
  pilotRoutes,
  usesModel,
} from '../packages/contract/src/index.ts'
import type { PilotArguments } from './pilot-arguments.ts'
import { type PlayedRoom, renderPilot } from './render-pilot.ts'
import { definitionFile, Misuse } from './study-arguments.ts'

const usualSpeed = 20
const pollMs = 500

/** Capacity for all rooms at once. */
const spacious = { MAX_ROOMS_PER_POD: '1000', MAX_PARTICIPANTS_PER_POD: '100000' }

/** The personas: a list of agents, or an object that also has the budget of the whole pilot. */
function readPersonas(file: string): Omit<PilotBody, 'rooms'> {
  const read = readJson(file)
  if (Array.isArray(read)) return { agents: read as Agent[] }
  if (typeof read !== 'object' || read === null || !('agents' in read))
    throw new Misuse(`${file} must be a list of agents, or an object with ‘agents’ and, optionally, ‘budget’`)
  const { agents, budget } = read as Omit<PilotBody, 'rooms'>
  return { ...(agents && { agents }), ...(budget && { budget }) }
}

/** A server that is started for the pilot has no credentials. */
function refuseCredentials(file: string, agents: readonly Agent[]): void {
  const named = agents.find(({ credentialId }) => credentialId !== undefined)
  if (named)
    throw new Misuse(
      `‘${named.id}’ in ${file} uses the credential ‘${named.credentialId}’; name a running platform that has it with --server`,
    )
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Misuse(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** The body of a response; the server's own sentence about what is wrong with the study or the personas. */
function granted<Body>({ status, body, text }: ApiResponse<Body>): Body {
  if (status < 300) return body
  const { error = text } = (body ?? {}) as { error?: string }
  throw new Misuse(`the server refuses this (${status}): ${error}`)
}

/** The experiment that is played: one that the server has, else a new draft. */
async function openExperiment(
  api: Api,
  token: string,
  { name, server }: PilotArguments,
  speed: number,
): Promise<{ experimentId: string; name: string }> {
  if (server !== undefined && !name.endsWith('.json')) {
    const known = await api.call(experimentRoutes.read, { token, params: { experimentId: name } })
    if (known.status === 200) return { experimentId: name, name: known.body.name }
  }
  const file = definitionFile(name)
  if (file === undefined) throw new Misuse(`there is no experiment, file or example named ‘${name}’`)
  const definition = readJson(file) as ExperimentDefinition
  const created = await api.call(experimentRoutes.create, { token, body: paced(definition, speed) })
  return { experimentId: granted(created).experimentId, name: definition.name }
}

/** A definition may be wrong in any way; then the server says how. */
function paced(definition: ExperimentDefinition, speed: number): ExperimentDefinition {
  try {
    return speedUp(definition, speed)
  } catch {
    return definition
  }
}

/** Plays it, prints what happened, and returns whether every room has finished. */
export async function simulateWithAgents(given: PilotArguments): Promise<boolean> {
  const { agents = [], budget } = readPersonas(given.agentsFile)
  if (given.server === undefined) refuseCredentials(given.agentsFile, agents)
  const speed = given.speed ?? (agents.some(usesModel) ? 1 : usualSpeed)
  const own = given.server === undefined ? await startServer({ env: spacious }) : undefined
  try {
    const api = createApi(given.server ?? own?.http ?? '', 'atrium-pilot/0.1')
    const token = given.token ?? (await createResearcher(api, ['admin'])).token
    const { experimentId, name } = await openExperiment(api, token, given, speed)
    const as = { token, params: { experimentId } }
    const body: PilotBody = {
      rooms: given.rooms,
      agents: agents.map((agent) => speedUpAgent(agent, speed)),
      ...(budget && { budget }),
    }
    const { pilotId } = granted(await api.call(pilotRoutes.create, { ...as, body }))
    const pilot = await untilEnded(api, as, pilotId, given.minutes)
    const query = { synthetic: 'true' }
    const exported = granted(await exportOf(api, as, query))
    const roomIds = new Set(pilot.rooms.map(({ roomId }) => roomId))
    const isOfPilot = ({ roomId }: { roomId: string | null }) => roomIds.has(roomId ?? '')
    const events = exported.events.filter(isOfPilot)
    const turns = exported.turns.filter(isOfPilot)
    const folder = keep(given.out, { events, turns })
    const rooms = pilot.rooms.map(
      (room): PlayedRoom => ({
        ...room,
        events: events.filter(({ roomId }) => roomId === room.roomId),
        turns: turns.filter(({ roomId }) => roomId === room.roomId),
      }),
    )
    const { text, isFinished } = renderPilot(name, rooms)
    console.log(text)
    console.log(`The data is in ${folder}: events.jsonl and agent-turns.jsonl.`)
    return isFinished
  } finally {
    await own?.stop()
  }
}

type As = { token: string; params: { experimentId: string } }

async function untilEnded(api: Api, as: As, pilotId: string, minutes: number): Promise<PilotSummary> {
  const deadline = Date.now() + minutes * 60_000
  for (;;) {
    const { pilots } = granted(await api.call(pilotRoutes.list, { ...as, query: { limit: '100' } }))
    const pilot = pilots.find((one) => one.pilotId === pilotId)
    if (!pilot) throw new Misuse('the server has lost the pilot')
    if (pilot.progress.ended === pilot.rooms.length || Date.now() >= deadline) return pilot
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

async function exportOf(api: Api, as: As, query: Record<string, string>) {
  const events = await api.call(experimentRoutes.export, { ...as, query })
  const turns = await api.call(agentTurnRoutes.export, { ...as, query })
  const failed = events.status === 200 ? turns : events
  return {
    ...failed,
    body: {
      events: linesOf(events.text) as ExportedEvent[],
      turns: linesOf(turns.text) as AgentTurnRecord[],
    },
  }
}

function keep(
  out: string | undefined,
  { events, turns }: { events: readonly object[]; turns: readonly object[] },
): string {
  const folder = out === undefined ? mkdtempSync(join(tmpdir(), 'atrium-pilot-')) : resolve(out)
  mkdirSync(folder, { recursive: true })
  const write = (name: string, lines: readonly object[]) =>
    writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  write('events.jsonl', events)
  write('agent-turns.jsonl', turns)
  return folder
}
