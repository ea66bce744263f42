import type { ExperimentDefinition } from '@atrium/contract'
import { describeInOneMode, type RoomSocket } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { entered, example } from './examples.ts'
import { acknowledged, tableIn } from './table.ts'

describeInOneMode('The examples with ratings, played to their end', (world) => {
  const table = tableIn(world)

  const answer = (socket: RoomSocket, componentId: string, value: unknown) =>
    acknowledged(socket.act('submit_response', { componentId, value }))

  it('film-ratings: three people watch, rate continuously and at two points, talk, and look back', async () => {
    const experimentId = await table.open(example('film-ratings'))
    const { sessions } = await table.seat(experimentId, 3)
    const sockets = await Promise.all(sessions.map(table.connect))
    for (const socket of sockets) await acknowledged(socket.act('ready'))
    for (const socket of sockets) await entered(socket, 'film')
    for (const [seat, socket] of sockets.entries()) {
      await answer(socket, 'tension', [
        { t: 0, value: 50 },
        { t: 250, value: 50.5 + seat },
      ])
      for (const atMs of [7_000, 14_000]) await answer(socket, 'liking', { atMs, value: 30 + seat })
      await answer(socket, 'tension', [{ t: 19_000, value: 90 }])
    }
    // The video ends when it has ended for all three, and a rating at any other point does not count.
    const wrongPlace = { componentId: 'liking', value: { atMs: 10_000, value: 1 } }
    expect(await sockets[0]?.act('submit_response', wrongPlace)).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_FAILED' },
    })
    for (const socket of sockets) await answer(socket, 'heartbeat', { ended: true, positionMs: 20_000 })
    for (const socket of sockets) await entered(socket, 'talk')
    await acknowledged(
      sockets[1]?.act('send_message', { text: 'A heart!' }) ?? Promise.reject(new Error('nobody')),
    )
    expect((await sockets[2]?.event('message'))?.message.text).toBe('A heart!')
    for (const socket of sockets) await acknowledged(socket.act('ready'))
    for (const socket of sockets) await entered(socket, 'looking_back')
    for (const socket of sockets) {
      await answer(socket, 'enjoyed', 6)
      await answer(socket, 'closeness', 40)
    }
    for (const [index, socket] of sockets.entries()) {
      expect((await socket.event('finished')).outcome).toBe('SUCCESS')
      const session = sessions[index]
      if (session)
        expect(await table.complete(session, 'SUCCESS')).toMatchObject({ completionCode: 'FILM-DONE' })
      socket.close()
    }
    const ratings = (await table.exported(experimentId)).filter(
      ({ componentId }) => componentId === 'tension',
    )
    expect(ratings).toHaveLength(6)
    // Nobody is told about another person's samples.
    const announced = sockets.flatMap(({ events }) =>
      events.filter((event) => event.type === 'response_recorded' && event.componentId === 'tension'),
    )
    expect(announced).toEqual([])
  })

  /** Plays to the end and returns the order in which one person sees the kinds of pictures. */
  async function ratePictures(experimentId: string, kinds: readonly string[]): Promise<string[]> {
    const session = await table.join(experimentId)
    const room = await table.connect(session)
    const seen: string[] = []
    await answer(room, 'agreement', { agreed: true })
    await acknowledged(room.act('ready'))
    for (let step = 0; step < kinds.length; step++) {
      const { state } = await room.event('state_entered', (event) => event.state.visit === step + 2)
      seen.push(state.id)
      for (const picture of [1, 2]) {
        await answer(room, `pleasant_${picture}`, 20 * picture)
        await answer(room, `exciting_${picture}`, picture)
      }
      await acknowledged(room.act('ready'))
    }
    await entered(room, 'favourite')
    await answer(room, 'best', kinds)
    await acknowledged(room.act('ready'))
    expect((await room.event('finished')).outcome).toBe('SUCCESS')
    const [seat] = await table.seats(session.roomId)
    expect(seat?.variables).toEqual(Object.fromEntries(kinds.map((kind) => [kind, 30])))
    expect(await table.complete(session, 'SUCCESS')).toMatchObject({ completionCode: 'PICTURES-DONE' })
    room.close()
    return seen
  }

  /** Without the minimum reading time, which would cost each of four people two seconds. */
  const withoutReading = (definition: ExperimentDefinition): ExperimentDefinition => {
    const [welcome, ...rest] = definition.states
    if (!welcome) throw new Error('the example has no states')
    const components = welcome.components.map((one) => ({ ...one, minReadMs: 0 }))
    return { ...definition, states: [{ ...welcome, components }, ...rest] }
  }

  it('picture-rating: each of four people sees all four kinds, and each kind is in each position once', async () => {
    const definition = example('picture-rating')
    const kinds = definition.blocks?.[0]?.states ?? []
    const experimentId = await table.open(withoutReading(definition))
    const orders: string[][] = []
    for (let person = 0; person < 4; person++) orders.push(await ratePictures(experimentId, kinds))
    for (const order of orders) expect(order.toSorted()).toEqual([...kinds].toSorted())
    for (const place of kinds.keys())
      expect(orders.map((order) => order[place]).toSorted()).toEqual([...kinds].toSorted())
  })
})
