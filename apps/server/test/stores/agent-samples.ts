import type { Agent } from '@atrium/contract'
import type { Database } from '../../src/adapters/sql/stores.ts'
import { newCallId, newCredentialId, newPilotId, newRoomId } from '../../src/kernel/ids.ts'
import type { NewPilot } from '../../src/modules/agents/pilots.store.ts'
import type { AgentCall, RoomAppend } from '../../src/modules/rooms/rooms.store.ts'
import { joined, startOfTime } from './samples.ts'

export const aCall = (experimentId: string, roomId: string, more: Partial<AgentCall> = {}): AgentCall => ({
  callId: newCallId(),
  experimentId,
  roomId,
  participantId: `agent_${roomId}_1`,
  agentId: 'ada',
  credentialId: null,
  turnId: 't1',
  cause: 'state',
  stateId: 'talk',
  round: null,
  attempt: 1,
  outcome: 'applied',
  askedAt: startOfTime,
  latencyMs: 10,
  usage: { promptTokens: 100, completionTokens: 10 },
  money: 0.5,
  costIsEstimated: false,
  model: 'm',
  sampling: { maxTokens: 1_024, temperature: 0.5 },
  servedModel: 'm-2',
  promptHash: 'hash',
  request: JSON.stringify({ model: 'm' }),
  reply: JSON.stringify({ action: { name: 'wait' } }),
  error: null,
  ...more,
})

/** An experiment cannot name a credential that is not there. */
export async function storeCredential({ credentials }: Database): Promise<string> {
  const credentialId = newCredentialId()
  const credential = {
    credentialId,
    owner: 'tester',
    name: credentialId,
    baseUrl: 'https://model.example.org/v1',
    model: 'm',
    timeoutMs: 60_000,
    sealedKey: 'v1.k1.sealed',
    keyHint: 'wxyz',
    createdAt: 0,
    changedAt: 0,
    lastTest: null,
  }
  const creation = await credentials.create(credential, 1_000, credential.owner)
  if (creation !== 'created') throw new Error(creation)
  return credentialId
}

const persona: Agent = { id: 'ada', name: 'Ada', provider: 'Scripted', instructions: '' }

/** The rooms of a pilot that has been requested. */
export async function aPilot(
  { pilots }: Database,
  experimentId: string,
  more: Partial<NewPilot> = {},
): Promise<string[]> {
  const pilot: NewPilot = {
    pilotId: newPilotId(),
    experimentId,
    revision: 1,
    roomIds: [newRoomId()],
    personas: [persona],
    seats: [{ role: 'participant', agentId: 'ada' }],
    agentsPerRoom: 1,
    budget: null,
    podId: 'pod-0',
    now: startOfTime,
    ...more,
  }
  const creation = await pilots.create(pilot)
  if (creation !== 'created') throw new Error(creation)
  return pilot.roomIds
}

/** A room for one person. */
export async function aRoomWithAgents(database: Database, experimentId: string) {
  const session = await joined(database, experimentId)
  if (session.roomId === null) throw new Error('one person gets a room at once')
  return { ...session, roomId: session.roomId }
}

/** Seats an agent in a room that has begun, and records something that it does. */
export function anAgentAppend(
  experimentId: string,
  roomId: string,
  { number, ...more }: Partial<RoomAppend> & { number: number },
): RoomAppend {
  const participantId = `agent_${roomId}_${number}`
  return {
    roomId,
    epoch: 1,
    seq: number,
    at: startOfTime + number,
    action: '{}',
    actor: 'clock',
    actionId: null,
    status: null,
    decisions: [],
    condition: null,
    seated: [{ participantId, experimentId, agentId: 'ada', alias: `P${number}`, role: 'participant' }],
    records: [
      {
        participantId,
        event: {
          eventId: null,
          type: 'agent_turn',
          stateId: 's1',
          componentId: null,
          timestamp: startOfTime + number,
          data: JSON.stringify({ number }),
          flags: '',
          extra: null,
          round: null,
          visit: 1,
        },
      },
    ],
    ...more,
  }
}
