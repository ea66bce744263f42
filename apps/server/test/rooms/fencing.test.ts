import { expect, it } from 'vitest'
import { AppError } from '../../src/kernel/app-error.ts'
import type { LiveRoom } from '../../src/modules/rooms/live/live-room.ts'
import type { RoomAppend, RoomStore } from '../../src/modules/rooms/rooms.store.ts'
import { describeOnBothEngines } from '../stores/engines.ts'
import { codeOf, heldRoomsOn } from './held-rooms.ts'

describeOnBothEngines('A room that two instances believe they hold', (engine) => {
  const held = heldRoomsOn(engine)
  const { instance, newRoom, logOf, storeWith } = held
  const saidIn = (roomId: string) => held.saidIn(roomId)

  it('[RM52] belongs to the second: what the first does afterwards is refused and not stored', async () => {
    const { roomId, participantId, say } = await newRoom()
    const [first, second] = [instance('pod-0'), instance('pod-1')]
    const lost: string[] = []
    first.listen({ emitted: () => undefined, lost: (id) => lost.push(id) })
    const held = await first.live(roomId)
    await held.dispatch({ type: 'connected', participantId })
    await held.dispatch(say('one'))
    await second.dispatch(roomId, say('two'))

    const late = await Promise.allSettled([held.dispatch(say('three')), held.dispatch(say('four'))])
    expect(late.map((result) => result.status === 'rejected' && codeOf(result.reason))).toEqual([
      'ROOM_ELSEWHERE',
      'ROOM_ELSEWHERE',
    ])
    expect(await held.dispatch(say('five')).catch(codeOf)).toBe('ROOM_ELSEWHERE')
    expect([lost, first.held(roomId)]).toEqual([[roomId], undefined])

    await second.dispatch(roomId, say('six'))
    expect(await saidIn(roomId)).toEqual(['one', 'two', 'six'])
    const epochs = (await logOf(roomId)).map(({ epoch }) => Number(epoch))
    expect(epochs).toEqual(epochs.toSorted((a, b) => a - b))
    expect(new Set(epochs)).toEqual(new Set([1, 2]))
    await Promise.all([first.stop(), second.stop()])
  })

  it('[RM52] a repeated action gets its first acknowledgement from the new owner too', async () => {
    const { roomId, participantId, say } = await newRoom()
    const [first, second] = [instance('pod-0'), instance('pod-1')]
    await first.dispatch(roomId, { type: 'connected', participantId })
    const seq = await first.dispatch(roomId, say('one'))
    await first.dispatch(roomId, say('two'))
    expect(await second.dispatch(roomId, say('one'))).toBe(seq)
    expect(await saidIn(roomId)).toEqual(['one', 'two'])
    await Promise.all([first.stop(), second.stop()])
  })

  it('[RM52] a room that moves back and forth loses and duplicates nothing', async () => {
    const { roomId, participantId, say } = await newRoom()
    const instances = [instance('pod-0'), instance('pod-1'), instance('pod-2')]
    await instances[0]?.dispatch(roomId, { type: 'connected', participantId })
    const former: LiveRoom[] = []
    const acknowledged: string[] = []
    for (const [round, owner] of [...instances, ...instances, ...instances].entries()) {
      const own = async (text: string) => {
        await owner.dispatch(roomId, say(text))
        acknowledged.push(text)
      }
      await own(`${round} first`)
      const intruders = former.map((held, index) =>
        held.dispatch(say(`${round} intruder ${index}`)).catch(codeOf),
      )
      await Promise.all([own(`${round} second`), own(`${round} third`)])
      for (const outcome of await Promise.all(intruders)) expect(outcome).toBe('ROOM_ELSEWHERE')
      former.push(await owner.live(roomId))
    }
    expect(await saidIn(roomId)).toEqual(acknowledged)
    const log = await logOf(roomId)
    const epochs = log.map(({ epoch }) => Number(epoch))
    expect(epochs).toEqual(epochs.toSorted((a, b) => a - b))
    expect(log.map(({ seq }) => Number(seq))).toEqual(log.map((_, index) => index + 1))
    await Promise.all(instances.map((one) => one.stop()))
  })

  /** A store that rejects the action with this id. */
  function failingAt(actionId: string, failure: Error): RoomStore {
    const { rooms: store } = engine().database
    const append = async (appends: RoomAppend[]) => {
      if (appends.some((one) => one.actionId === actionId)) throw failure
      return await store.append(appends)
    }
    return storeWith({ append })
  }

  it('[RM51] if the store is unavailable, actions computed later are not stored either, and the room is given up', async () => {
    const { roomId, participantId, say } = await newRoom()
    const { rooms: store } = engine().database
    let next: Promise<unknown> | undefined
    // The next action comes while the group before it is being written, and waits for it.
    const append = async (appends: RoomAppend[]) => {
      if (next || !appends.some(({ actionId }) => actionId === 'fails')) return await store.append(appends)
      next = held.dispatch(say('next')).catch(codeOf)
      throw new AppError('UNAVAILABLE')
    }
    const rooms = instance('pod-0', storeWith({ append }))
    const lost: string[] = []
    rooms.listen({ lost: (id) => lost.push(id) })
    await rooms.dispatch(roomId, { type: 'connected', participantId })
    const held = await rooms.live(roomId)
    const failed = held.dispatch(say('fails')).catch(codeOf)
    expect(await failed).toBe('UNAVAILABLE')
    expect(await next).toBe('ROOM_ELSEWHERE')
    expect([lost, await saidIn(roomId)]).toEqual([[roomId], []])

    await rooms.dispatch(roomId, say('fails'))
    await rooms.dispatch(roomId, say('next'))
    expect(await saidIn(roomId)).toEqual(['fails', 'next'])
    await rooms.stop()
  })

  it('[R40][RM57] if the store refuses one action, only that one fails and later ones are stored', async () => {
    const { roomId, participantId, say } = await newRoom()
    const rooms = instance('pod-0', failingAt('fails', new Error('not a value that I know')))
    const lost: string[] = []
    const told: string[] = []
    rooms.listen({
      lost: (id) => lost.push(id),
      emitted: (_, emitted) => {
        for (const { event } of emitted) if (event.type === 'message') told.push(event.message.text)
      },
    })
    await rooms.dispatch(roomId, { type: 'connected', participantId })
    const held = await rooms.live(roomId)
    const outcomes = ['first', 'fails', 'fails', 'next', 'last'].map((text) =>
      held.dispatch(say(text)).catch(codeOf),
    )
    const failure = expect.any(Error)
    const number = expect.any(Number)
    // Sent twice at once: the repeat is acknowledged only together with the first; if that fails, it is a new attempt.
    expect(await Promise.all(outcomes)).toEqual([number, failure, failure, number, number])
    expect(lost).toEqual([])
    expect(await saidIn(roomId)).toEqual(['first', 'next', 'last'])
    expect(told).toEqual(['first', 'next', 'last'])
    expect((await logOf(roomId)).map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4, 5])

    const again = instance('pod-1')
    expect((await again.live(roomId)).state().messages.map(({ message }) => message.text)).toEqual(told)
    await Promise.all([rooms.stop(), again.stop()])
  })

  it('[R40] an action that cannot be serialized takes no number, and the room continues', async () => {
    const { roomId, participantId, say } = await newRoom()
    const rooms = instance('pod-0')
    await rooms.dispatch(roomId, { type: 'connected', participantId })
    const held = await rooms.live(roomId)
    const circle: Record<string, unknown> = {}
    circle.circle = circle
    await expect(held.dispatch({ ...say('odd'), ...circle })).rejects.toThrow(/circular/)
    await held.dispatch(say('next'))
    expect(await saidIn(roomId)).toEqual(['next'])
    await rooms.stop()
  })

  it('[RM51] nobody is told about an action before it is stored', async () => {
    const { roomId, participantId, say } = await newRoom()
    const { rooms: store } = engine().database
    const order: string[] = []
    const append = async (appends: RoomAppend[]) => {
      const outcomes = await store.append(appends)
      order.push(...appends.map(({ actionId }) => `stored ${actionId}`))
      return outcomes
    }
    const rooms = instance('pod-0', storeWith({ append }))
    rooms.listen({
      emitted: (_, emitted) => {
        for (const { event } of emitted)
          if (event.type === 'message') order.push(`told ${event.message.text}`)
      },
      lost: () => undefined,
    })
    await rooms.dispatch(roomId, { type: 'connected', participantId })
    order.length = 0
    await rooms.dispatch(roomId, say('one')).then(() => order.push('acknowledged one'))
    expect(order).toEqual(['stored one', 'told one', 'acknowledged one'])
    await rooms.stop()
  })
})
