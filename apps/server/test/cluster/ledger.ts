import type { World } from '@atrium/testkit'
import { expect } from 'vitest'
import type { startPlayers } from '../rooms/endless-game.ts'
import { readRows } from '../rooms/rows.ts'

type Players = ReturnType<typeof startPlayers>

/** Compares the log of a room with everything that was acknowledged to its players. */
export async function expectNothingLost(world: World, roomId: string, players: Players): Promise<void> {
  expect(players.faults).toEqual([])
  const log = await readRows(
    world,
    `select seq, epoch, actor, action_id from room_actions where room_id = '${roomId}' order by seq`,
  )
  // No gaps, and only the owner wrote: the epoch of a row is never below that of the previous row (I5).
  expect(log.map(({ seq }) => Number(seq))).toEqual(log.map((_, index) => index + 1))
  const epochs = log.map(({ epoch }) => Number(epoch))
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b))
  // Everything acknowledged is stored once (I1); everything else at most once (I2).
  const stored = log.flatMap(({ actor, action_id }) => (action_id === null ? [] : [`${actor} ${action_id}`]))
  expect(new Set(stored).size).toBe(stored.length)
  const kept = new Set(stored)
  const lost = players.acknowledged.filter(
    ({ participantId, actionId }) => !kept.has(`${participantId} ${actionId}`),
  )
  expect(lost).toEqual([])
  // In the order in which each player sent their messages.
  for (const actor of new Set(log.map((row) => String(row.actor)))) {
    const own = log.filter((row) => row.actor === actor && String(row.action_id).startsWith('message-'))
    const numbers = own.map(({ action_id }) => Number(String(action_id).slice('message-'.length)))
    expect(numbers).toEqual(numbers.map((_, index) => index))
  }
}

/** I4: the rooms of an experiment with their participants, each of whom is in at most one. */
export async function groupsOf(world: World, experimentId: string): Promise<Map<string, string[]>> {
  const rows = await readRows(
    world,
    `select participant_id, room_id from participants where experiment_id = '${experimentId}'`,
  )
  const seated = rows.flatMap(({ participant_id, room_id }) =>
    room_id === null ? [] : [{ participantId: String(participant_id), roomId: String(room_id) }],
  )
  const groups = Map.groupBy(seated, ({ roomId }) => roomId)
  return new Map([...groups].map(([roomId, people]) => [roomId, people.map((one) => one.participantId)]))
}
