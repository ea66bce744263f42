import { describeInBothModes, isLongRun, waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { endlessGame, startPlayers } from './endless-game.ts'
import { readRows } from './rows.ts'
import { tableIn } from './table.ts'

const kills = isLongRun ? 3 : 1
const timedRoom = (afterMs: number) => ({
  name: 'Timed',
  states: [
    { id: 'wait', components: [], end: { on: 'timed' as const, afterMs } },
    { id: 'done', components: [] },
  ],
})

describeInBothModes(
  'A server killed during a running game',
  (world) => {
    const table = tableIn(world)

    it('[RM48,RM51] everyone resumes where they were, and every acknowledged action is stored once', async () => {
      const experimentId = await table.open(endlessGame)
      const { roomId, sessions } = await table.seat(experimentId, 4)
      const players = startPlayers(sessions, table.connect)
      await players.progress(10)
      for (let kill = 1; kill <= kills; kill++) {
        await table.server().kill()
        await table.server().restart()
        // The clock works too: rounds that the players do not end reach their deadline.
        const { seq } = await table.report(roomId)
        await players.progress(10)
        expect((await table.report(roomId)).seq).toBeGreaterThan(seq)
        expect(players.connections()).toBeGreaterThanOrEqual(4 * (kill + 1))
      }
      await players.stop()
      expect(players.faults).toEqual([])
      expect((await table.seats(roomId)).map(({ status }) => status)).toEqual([
        'active',
        'active',
        'active',
        'active',
      ])

      const log = await readRows(
        world(),
        `select seq, epoch, actor, action_id from room_actions where room_id = '${roomId}' order by seq`,
      )
      expect(log.map(({ seq }) => Number(seq))).toEqual(log.map((_, index) => index + 1))
      const epochs = log.map(({ epoch }) => Number(epoch))
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b))
      expect(new Set(epochs).size).toBeGreaterThanOrEqual(kills + 1)
      const logged = log.flatMap(({ actor, action_id }) =>
        action_id === null ? [] : [`${actor} ${action_id}`],
      )
      expect(new Set(logged).size).toBe(logged.length)

      const lines = (await table.exported(experimentId)).filter(({ data }) => 'actionId' in data)
      const recorded = lines.map(({ participantId, data }) => `${participantId} ${data.actionId}`)
      expect(recorded.toSorted()).toEqual(logged.toSorted())
      const stored = new Set(logged)
      const lost = players.acknowledged.filter(
        ({ participantId, actionId }) => !stored.has(`${participantId} ${actionId}`),
      )
      expect(lost).toEqual([])
      for (const { participantId } of sessions) {
        const own = lines.filter(
          (line) => line.participantId === participantId && line.type === 'chat_message',
        )
        expect(own.map(({ data }) => Number(data.text))).toEqual(own.map((_, index) => index))
      }
    })

    it('[RM48] a deadline set before the kill applies at its absolute time, or at once if it has passed', async () => {
      const later = await table.join(await table.open(timedRoom(4_000)))
      const soon = await table.join(await table.open(timedRoom(400)))
      const before = await table.connect(later)
      await table.connect(soon)
      const { deadlineAt } = before.snapshot().state ?? {}
      await table.server().kill()
      await table.server().restart()
      await waitUntil(
        async () =>
          (await table.seats(soon.roomId))[0]?.stateId === 'done' || 'its deadline has not passed yet',
      )

      const after = await table.connect(later)
      const { state } = after.snapshot()
      if (state?.id === 'wait') expect(state.deadlineAt).toBe(deadlineAt)
      const enteredAt =
        state?.id === 'done' ? state.enteredAt : (await after.event('state_entered')).state.enteredAt
      expect(enteredAt).toBeGreaterThanOrEqual(deadlineAt ?? Number.POSITIVE_INFINITY)
      after.close()
    })
  },
  { servers: 1 },
)
