import { randomUUID } from 'node:crypto'
import {
  type ExperimentDefinition,
  type ExperimentStatus,
  experimentRoutes,
  participantRoutes,
  type WrittenDefinition,
} from '@atrium/contract'
import type { Api } from './api.ts'
import { type ApiResponse, codeOf, linesOf } from './documented.ts'
import { waitUntil } from './wait.ts'

/** The body of a response that must be successful; throws an error that shows any other. */
export function succeeded<Body>(response: ApiResponse<Body>): Body {
  if (response.status < 300) return response.body
  throw new Error(
    `expected a success, got ${response.status} ${codeOf(response)}: ${response.text.slice(0, 500)}`,
  )
}

/** Asks again while the service is unavailable, as clients do (R9). For what a story needs before it begins or goes on. */
export async function onceAvailable<Body>(ask: () => Promise<ApiResponse<Body>>): Promise<Body> {
  let response = await ask()
  // A second between two attempts: sooner, a long time without a processor would use up the limit of one person.
  await waitUntil(
    async () => {
      if (response.status !== 503) return true
      response = await ask()
      return response.status !== 503 || `still ${codeOf(response)}`
    },
    { everyMs: 1_000 },
  )
  return succeeded(response)
}

/** Waits for nobody: clients can drive it without a room (R52). */
export const smallestDefinition = (more: Partial<ExperimentDefinition> = {}): ExperimentDefinition => ({
  name: 'A small study',
  states: [
    { id: 's1', components: [{ id: 'c1', type: 'slider', required: false }] },
    { id: 's2', components: [] },
  ],
  ...more,
})

/** A researcher with the calls that stories need. */
export async function createResearcher(
  api: Api,
  roles = ['researcher'],
  sub: string = `researcher-${randomUUID()}`,
) {
  const token = await api.token(sub, roles)
  const setStatus = async (experimentId: string, status: ExperimentStatus) =>
    onceAvailable(() =>
      api.call(experimentRoutes.changeStatus, { token, params: { experimentId }, body: { status } }),
    )
  return {
    sub,
    token,
    setStatus,
    /** Creates an experiment and starts recruiting. */
    async openExperiment(definition: WrittenDefinition = smallestDefinition()): Promise<string> {
      const { experimentId } = await onceAvailable(() =>
        api.call(experimentRoutes.create, { token, body: definition }),
      )
      await setStatus(experimentId, 'recruiting')
      return experimentId
    },
    async exported(experimentId: string): Promise<ExportedLine[]> {
      const response = await api.call(experimentRoutes.export, {
        token,
        params: { experimentId },
        query: { format: 'jsonl' },
      })
      succeeded(response)
      return linesOf(response.text) as ExportedLine[]
    },
  }
}

export interface ExportedLine {
  participantId: string
  sessionId: string
  seq: number
  type: string
  timestamp: number | null
  receivedAt: string
  serverTime: string
  clientTime: string | null
  clockOffsetMs: number | null
  clockErrorMs: number | null
  stateId: string | null
  stage: string | null
  componentId: string | null
  eventId: string | null
  revision: number
  roomId: string | null
  condition: string | null
  role: string
  alias: string | null
  round: number | null
  visit: number | null
  origin: 'client' | 'room'
  roomSeq: number | null
  data: Record<string, unknown>
  flags: string[]
  extra?: Record<string, unknown>
}

/** A person with their own identity. */
export async function createPerson(api: Api, sub: string = `person-${randomUUID()}`) {
  const token = await api.token(sub)
  return {
    sub,
    token,
    async join(experimentId: string, more: { role?: string; metadata?: Record<string, unknown> } = {}) {
      const joined = await onceAvailable(() =>
        api.call(participantRoutes.joinV4, { token, body: { experimentId, ...more } }),
      )
      return joined.data
    },
  }
}

/** A response to component `c1`, numbered so that order and loss can be seen. */
export const numberedEvent = (number: number, more: object = {}) => ({
  type: 'component_response',
  componentId: 'c1',
  stateId: 's1',
  timestamp: 1_700_000_000_000 + number,
  data: { value: number, responseTime: 250 },
  ...more,
})
