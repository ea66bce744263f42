import { type Stage, studyOf, type WrittenDefinition } from '@atrium/contract'
import { namedFilesIn } from '@atrium/contract/components'
import type { Database } from '../../src/adapters/sql/stores.ts'
import { newExperimentId, newRoomId } from '../../src/kernel/ids.ts'
import type { RoomAppend, RoomAppendRecord } from '../../src/modules/rooms/rooms.store.ts'
import { startOfTime } from './samples.ts'

const stage = (id: string, groupSize: number, more: Partial<Stage> = {}): Stage => ({
  id,
  matching: { groupSize },
  states: [{ id: `state of ${id}`, components: [] }],
  ...more,
})

/** R68: alone, then in pairs, then alone again, in a condition of that stage. */
export const inStages = (more: Partial<WrittenDefinition> = {}): WrittenDefinition => ({
  name: 'In stages',
  stages: [stage('alone', 1), stage('talk', 2), stage('last', 1, { conditions: { values: ['short'] } })],
  ...more,
})

export async function openInStages({ experiments }: Database, written = inStages()): Promise<string> {
  const experimentId = newExperimentId()
  const by = { experimentId, actor: 'tester', now: startOfTime }
  await experiments.create({ ...by, definition: written, media: namedFilesIn(studyOf(written)) })
  await experiments.changeStatus({ ...by, to: 'recruiting' })
  return experimentId
}

/** What an instance does that holds the room of a stage, action by action. */
export async function heldRoom({ rooms }: Database, roomId: string) {
  const held = await rooms.claim(roomId, 'pod-0', 'seed')
  if (!held) throw new Error(`there is no room ${roomId}`)
  const logged = await rooms.actionsAfter(roomId, 0)
  let seq = logged.at(-1)?.seq ?? 0
  async function append(records: RoomAppendRecord[], more: Partial<RoomAppend> = {}): Promise<void> {
    const action = { roomId, epoch: held?.epoch ?? 0, seq: ++seq, at: startOfTime, action: '{}' }
    const nothing = { actor: 'clock', actionId: null, status: null, condition: null, decisions: [] }
    const [outcome] = await rooms.append([{ ...action, ...nothing, records, ...more }])
    if (outcome?.kind !== 'stored') throw new Error(`not stored: ${outcome?.kind}`)
  }
  return {
    held,
    append,
    /** They have finished the stage, and wait for the next. */
    goOn: async (participantIds: readonly string[], next: string, carried: object = {}) =>
      await append([], {
        onward: participantIds.map((participantId) => ({
          ...{ participantId, stage: next, carried: JSON.stringify({ variables: carried }) },
        })),
      }),
  }
}

/** A room of the stage that they wait for. */
export async function newRoomOf(
  { rooms }: Database,
  experimentId: string,
  participantIds: readonly string[],
): Promise<string> {
  const roomId = newRoomId()
  const members = participantIds.map((participantId) => ({ participantId, role: null }))
  const room = { roomId, experimentId, members, agents: [], podId: 'pod-0', now: startOfTime }
  const { kind } = await rooms.create(room)
  if (kind !== 'created') throw new Error(`not created: ${kind}`)
  return roomId
}
