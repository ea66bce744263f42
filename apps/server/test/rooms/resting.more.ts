import { waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Rooms } from '../../src/modules/rooms/index.ts'
import { describeOnBothEngines } from '../stores/engines.ts'
import { completeRequest, exportAll, joined, oneDayMs, openExperiment } from '../stores/samples.ts'
import { codeOf, heldRoomsOn } from './held-rooms.ts'

const brief = { policy: 'wait' as const, graceMs: 50 }
const talk = { id: 'talk', components: [{ id: 'chat', type: 'chat' }] }
const timed = (id: string, afterMs: number) => ({
  id,
  components: [],
  end: { on: 'timed' as const, afterMs },
})

describeOnBothEngines('A room that nobody is connected to', (engine) => {
  const held = heldRoomsOn(engine)
  const storedRoom = async (roomId: string) =>
    (await engine().rows(`select * from rooms where room_id = '${roomId}'`))[0] ?? {}
  const actionsOf = async (roomId: string) =>
    (await engine().rows(`select at, action from room_actions where room_id = '${roomId}' order by seq`)).map(
      (row) => ({ at: Number(row.at), type: JSON.parse(String(row.action)).type as string }),
    )
  const atRest = (rooms: Rooms, roomId: string) =>
    waitUntil(async () => {
      const { resting_since: since } = await storedRoom(roomId)
      return (since !== null && rooms.held(roomId) === undefined) || 'it is awake'
    })

  /** X48: who takes part, as the list of rooms and the monitor see it, and how many rooms have such people. */
  async function activeIn(rooms: Rooms, roomId: string) {
    const { experiment_id: id } = await storedRoom(roomId)
    const listed = await rooms.list(String(id), { openOnly: true, limit: 10, before: null })
    const monitor = await engine().database.experiments.monitor(String(id), systemClock.now())
    return [listed.rooms[0]?.active, monitor?.participants.active, monitor?.openRooms]
  }

  it('[R39,RM75,X48] is put to rest after the grace, leaves memory, and wakes on any instance as it was', async () => {
    const { roomId, participantId, say } = await held.newRoom({ states: [talk], dropout: brief })
    const rooms = held.instance('pod-0')
    const rested: string[] = []
    rooms.listen({ rested: (id) => rested.push(id) })
    await rooms.enter(roomId, participantId)
    await rooms.dispatch(roomId, say('one'))
    expect(await storedRoom(roomId)).toMatchObject({ resting_since: null, due_at: null, pod_id: 'pod-0' })
    await rooms.dispatch(roomId, { type: 'disconnected', participantId })
    await atRest(rooms, roomId)
    expect(rested).toEqual([roomId])
    // Due at the time when it counts as abandoned.
    expect(Number((await storedRoom(roomId)).due_at)).toBeGreaterThan(systemClock.now())
    expect(await rooms.locate(roomId)).toMatchObject({ podId: null, state: { status: { kind: 'running' } } })
    expect(await engine().database.rooms.openRoomsOf('pod-0')).not.toContain(roomId)
    expect(await activeIn(rooms, roomId)).toEqual([0, 0, 0])

    const other = held.instance('pod-1')
    const woken = await other.enter(roomId, participantId)
    expect(woken.state().messages.map(({ message }) => message.text)).toEqual(['one'])
    expect(woken.state().seats[0]).toMatchObject({ status: 'active', presence: { kind: 'connected' } })
    await other.dispatch(roomId, say('two'))
    expect(await held.saidIn(roomId)).toEqual(['one', 'two'])
    expect(await storedRoom(roomId)).toMatchObject({ resting_since: null, due_at: null, pod_id: 'pod-1' })
    expect(await activeIn(rooms, roomId)).toEqual([1, 1, 1])
    await rooms.stop()
    await other.stop()
  })

  it('[RM78] is not swept while an instance applies an action to it; if that instance crashes, it is due a little later', async () => {
    const { roomId } = await held.newRoom({ states: [talk], dropout: brief })
    const store = engine().database.rooms
    const now = systemClock.now()
    expect(await store.claimAsleep(roomId, 'seed', now)).toMatchObject({ wasAsleep: true })
    const dueAt = async (at: number) => (await store.due(at, null)).map((due) => due.roomId)
    expect(await dueAt(now)).not.toContain(roomId)
    expect(await dueAt(now + 60_000)).toContain(roomId)
  })

  it('[RM75] rests even if nobody ever came; a room with somebody in it does not', async () => {
    const definition = { states: [talk], dropout: brief }
    const [empty, peopled] = [await held.newRoom(definition), await held.newRoom(definition)]
    const rooms = held.instance('pod-0')
    await rooms.enter(peopled.roomId, peopled.participantId)
    await rooms.live(empty.roomId)
    await atRest(rooms, empty.roomId)
    expect(rooms.held(peopled.roomId)).toBeDefined()
    expect(await storedRoom(peopled.roomId)).toMatchObject({ resting_since: null })
    await rooms.stop()
  })

  it('[RM76] is not put to rest by an instance that no longer holds it', async () => {
    const { roomId, participantId } = await held.newRoom({ states: [talk], dropout: brief })
    const stale = held.instance('pod-0')
    const lost: string[] = []
    stale.listen({ lost: (id) => lost.push(id) })
    await stale.live(roomId)
    const owner = held.instance('pod-1')
    await owner.enter(roomId, participantId)
    // As far as the previous owner knows, it could rest; its next tick or attempt to rest fails.
    await waitUntil(() => lost.length > 0 || 'it has not noticed')
    expect(await storedRoom(roomId)).toMatchObject({ resting_since: null, pod_id: 'pod-1' })
    const { rooms: store } = engine().database
    const { epoch } = await storedRoom(roomId)
    const rest = { roomId, epoch: Number(epoch) - 1, dueAt: null, now: systemClock.now() }
    expect(await store.rest(rest)).toBe('fenced')
    expect(await storedRoom(roomId)).toMatchObject({ resting_since: null })
    await stale.stop()
    await owner.stop()
  })

  /** A room that rests in its first state, and the clock of its instances. */
  async function restingFor(...lengthsMs: number[]) {
    const time = { now: systemClock.now() }
    const { roomId, participantId } = await held.newRoom({
      states: [...lengthsMs.map((afterMs, index) => timed(`timed-${index}`, afterMs)), talk],
      dropout: { ...brief, graceMs: 0 },
    })
    const rooms = held.instance('pod-0', engine().database.rooms, { clock: { now: () => time.now } })
    await rooms.live(roomId)
    await atRest(rooms, roomId)
    const dueAt = Number((await storedRoom(roomId)).due_at)
    expect(dueAt).toBe(((await actionsOf(roomId))[0]?.at ?? 0) + (lengthsMs[0] ?? 0))
    return { time, rooms, roomId, participantId, dueAt }
  }

  it('[RM77,RM78] applies each deadline at its own time, however late the sweep is, and stays at rest', async () => {
    const { time, rooms, roomId, participantId, dueAt } = await restingFor(600_000, 30_000, 70_000)
    const { rooms: store } = engine().database
    expect(await store.due(time.now, null)).not.toContainEqual({ roomId, dueAt })
    time.now = dueAt + 500_000
    expect(await store.due(time.now, null)).toContainEqual({ roomId, dueAt })

    await rooms.passTime(roomId)
    const actions = await actionsOf(roomId)
    const ticks = actions.filter(({ type }) => type === 'tick').slice(-3)
    expect(ticks.map(({ at }) => at - dueAt)).toEqual([0, 30_000, 100_000])
    expect(actions.map(({ type }) => type)).not.toContain('restored')
    expect(rooms.held(roomId)).toBeUndefined()
    expect(await store.openRoomsOf('pod-0')).not.toContain(roomId)
    expect(Number((await storedRoom(roomId)).due_at)).toBeGreaterThan(time.now)
    const woken = await rooms.enter(roomId, participantId)
    expect(woken.state().seats[0]?.flow?.position).toBe(3)
    await rooms.stop()
  })

  it('[RM77] catches up with the clock when somebody wakes it', async () => {
    const { time, rooms, roomId, participantId, dueAt } = await restingFor(600_000)
    time.now = dueAt + 5_000
    await rooms.enter(roomId, participantId)
    const actions = await actionsOf(roomId)
    expect(actions.slice(-2)).toEqual([
      { type: 'tick', at: dueAt },
      { type: 'connected', at: time.now },
    ])
    await rooms.stop()
  })

  it('[RM97] lets go of somebody who withdrew their consent before it applies a deadline', async () => {
    const { time, rooms, roomId, participantId, dueAt } = await restingFor(600_000)
    await engine().rows(
      `update participants set consent_required = 1 where participant_id = '${participantId}' returning 1`,
    )
    time.now = dueAt + 5_000
    await rooms.passTime(roomId)
    expect((await actionsOf(roomId)).at(-1)).toEqual({ type: 'withdrawn', at: dueAt })
    expect(await storedRoom(roomId)).toMatchObject({ end_reason: 'everyone_done' })
    await rooms.stop()
  })

  it('[RM46] is abandoned a day after everybody has left, also at rest', async () => {
    const { time, rooms, roomId } = await restingFor(600_000)
    time.now += 2 * oneDayMs
    await rooms.passTime(roomId)
    expect(await storedRoom(roomId)).toMatchObject({ end_reason: 'abandoned' })
    expect(await engine().database.rooms.due(time.now, null)).not.toContainEqual(
      expect.objectContaining({ roomId }),
    )
    await rooms.stop()
  })

  it('[RM78] can be paused, sent announcements and ended by a researcher without being woken', async () => {
    const { roomId } = await held.newRoom({ states: [talk], dropout: brief })
    const rooms = held.instance('pod-0')
    const taken: string[] = []
    rooms.listen({ taken: async (room) => void taken.push(room.roomId) })
    const by = 'urn:test researcher'
    // Even before anybody has entered it.
    await rooms.dispatch(roomId, { type: 'announce', text: 'Hello', to: null, by })
    await rooms.dispatch(roomId, { type: 'pause', reason: 'A break', by })
    expect(rooms.held(roomId)).toBeUndefined()
    expect(await rooms.read(roomId)).toMatchObject({ status: { kind: 'paused' } })
    expect(await storedRoom(roomId)).toMatchObject({ closed_at: null, due_at: expect.anything() })
    await rooms.dispatch(roomId, { type: 'end', reason: 'enough', by })
    expect(await storedRoom(roomId)).toMatchObject({ end_reason: 'enough', closed_at: expect.anything() })
    const again = rooms.dispatch(roomId, { type: 'end', reason: 'enough', by })
    expect(await again.catch(codeOf)).toBe('ROOM_ENDED')
    expect(taken).toEqual([])
    await rooms.stop()
  })

  it('[RM79] ends when everybody has completed, whether or not it was told', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database, {
      states: [talk],
      matching: { groupSize: 2 },
      dropout: brief,
    })
    const seat = async (roomId: string) => {
      const now = systemClock.now()
      const people = []
      for (const _ of [1, 2])
        people.push(await joined(database, experimentId, { soloRoom: false, now, expiresAt: now + 60_000 }))
      const members = people.map(({ participantId }) => ({ participantId, role: null }))
      return { people, room: { roomId, experimentId, members, agents: [] } }
    }
    const rooms = held.instance('pod-0')
    const [told, untold] = [await seat(`room_told_${experimentId}`), await seat(`room_un_${experimentId}`)]
    for (const { room, people } of [told, untold]) {
      await rooms.create(room)
      for (const { participantId } of people) await rooms.enter(room.roomId, participantId)
      for (const { sessionId } of people) await database.sessions.complete(completeRequest(sessionId))
    }
    const { roomId } = told.room
    // Instances before 0.3.0, beside which this one may run, do not name the room.
    for (const [index, { participantId }] of told.people.entries())
      rooms.completed({ ...(index === 0 && { roomId }), participantId, outcome: 'SUCCESS' })
    await waitUntil(
      async () =>
        (await rooms.read(told.room.roomId)).status.kind === 'ended' ||
        'the room that was told has not ended',
    )
    const seats = (await rooms.read(told.room.roomId)).seats
    expect(seats.map(({ status, outcome }) => [status, outcome])).toEqual([
      ['finished', 'SUCCESS'],
      ['finished', 'SUCCESS'],
    ])
    // Completing closes their sockets; when the room is about to rest, it finds that it is over.
    for (const { participantId } of untold.people)
      await rooms.dispatch(untold.room.roomId, { type: 'disconnected', participantId })
    await waitUntil(
      async () =>
        (await rooms.read(untold.room.roomId)).status.kind === 'ended' ||
        'the room that was not told has not ended',
    )
    await rooms.stop()
    const { lines } = await exportAll(database, experimentId)
    const ended = lines.filter(({ type }) => type === 'finished')
    const everyone = [...told.people, ...untold.people].map(({ participantId }) => participantId)
    expect(ended.map(({ participantId }) => participantId).sort()).toEqual(everyone.sort())
  })
})
