import type { ExperimentDefinition } from '@atrium/contract'
import { describeInOneMode, type RoomSocket } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { entered, example } from '../rooms/examples.ts'
import { acknowledged, tableIn } from '../rooms/table.ts'

/** With values of nine digits, which nothing else that is sent contains. */
function withLongValues(): ExperimentDefinition {
  const written = JSON.stringify(example('paradigms/second-price-auction'))
  const long = written.replace('drawInt(0, 100)', 'drawInt(100000000, 999999999)')
  expect(long).not.toBe(written)
  return JSON.parse(long)
}

describeInOneMode('The second-price auction', (world) => {
  const table = tableIn(world)

  it('tells nobody what the good is worth to another bidder, nor what others have bid', async () => {
    const { roomId, sessions } = await table.seat(await table.open(withLongValues()), 4)
    const sockets = await Promise.all(sessions.map(table.connect))
    for (const socket of sockets)
      await acknowledged(
        socket.act('submit_response', { componentId: 'explained', value: { answers: { price: 20 } } }),
      )
    const bids = [31, 47, 53, 71]
    const values: string[][] = sockets.map(() => [])
    for (let round = 1; round <= 2; round++) {
      await Promise.all(sockets.map((socket) => entered(socket, 'auction', round)))
      for (const [seat, { variables }] of (await table.seats(roomId)).entries())
        values[seat]?.push(String(variables.value))
      for (const [seat, socket] of sockets.entries())
        await acknowledged(socket.act('submit_response', { componentId: 'bid', value: bids[seat] }))
      await Promise.all(sockets.map((socket) => entered(socket, 'feedback', round)))
      await table.advance(roomId)
    }
    await Promise.all(sockets.map((socket) => entered(socket, 'auction', 3)))

    const heard = sockets.map(({ received }) => JSON.stringify(received))
    for (const [seat, all] of heard.entries()) {
      for (const own of values[seat] ?? []) expect(all).toContain(own)
      for (const foreign of values.filter((_, other) => other !== seat).flat())
        expect(all).not.toContain(foreign)
    }
    // The price is what the second-highest bidder offered; the lowest and the highest bid stay with those who made them.
    const offersHeardBy = (seat: number) => [...(heard[seat] ?? '').matchAll(/"offered":(\d+)/g)]
    for (const seat of bids.keys())
      expect(new Set(offersHeardBy(seat).map(([, bid]) => Number(bid)))).toEqual(new Set([bids[seat]]))
    expect(earnedBy(sockets)).toEqual([0, 0, 0, Number(values[3]?.[1]) - 53])
    for (const socket of sockets) socket.close()
  })

  /** What each of them was last told. */
  const earnedBy = (sockets: readonly RoomSocket[]): unknown[] =>
    sockets.map((socket) => {
      const told = socket.events.flatMap((event) =>
        event.type === 'variables' && 'earned' in event.self ? [event.self.earned] : [],
      )
      return told.at(-1) ?? socket.snapshot().self.variables.earned
    })
})
