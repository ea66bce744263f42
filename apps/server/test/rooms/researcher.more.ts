import {
  type ExperimentDefinition,
  experimentRoutes,
  operationsRoutes,
  participantRoutes,
  type RouteSpec,
  roomRoutes,
} from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  describeInOneMode,
  numberedEvent,
  type RoomSocket,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, it } from 'vitest'
import { readRows } from './rows.ts'
import { acknowledged, refused, tableIn } from './table.ts'

const trio: ExperimentDefinition = {
  name: 'Trio',
  states: [
    { id: 'ask', components: [{ id: 'rate', type: 'slider' }], end: { on: 'timed', afterMs: 3_600_000 } },
    { id: 'talk', components: [{ id: 'chat', type: 'chat' }] },
    { id: 'last', components: [] },
  ],
  variables: {
    mood: { secret: true, initial: 3 },
    points: { scope: 'participant', initial: 7, secret: true },
  },
  matching: { groupSize: 3 },
  completion: { codes: { SCREENED_OUT: 'CODE-OUT' } },
}
const countBy = (names: string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
const { create: _create, list: _list, ...ofRoom } = roomRoutes

describeInOneMode(
  'A researcher and a room',
  (world) => {
    const table = tableIn(world)

    async function trioInRoom(definition = trio) {
      const experimentId = await table.open(definition)
      const { roomId, sessions } = await table.seat(experimentId, 3)
      const sockets: RoomSocket[] = []
      for (const session of sessions) sockets.push(await table.connect(session))
      const [first, second, third] = sockets
      if (!first || !second || !third) throw new Error('expected three sockets')
      const participantIds = sessions.map(({ participantId }) => participantId)
      const { token } = await table.researcher()
      const call = <Spec extends RouteSpec>(route: Spec, body: object = {}, participantId = '') =>
        table.api.call(route, {
          token,
          params: { roomId, participantId },
          ...('body' in route ? { body } : {}),
        })
      return { experimentId, roomId, sessions, sockets, first, second, third, participantIds, call }
    }

    it('[R17] puts waiting people into a room, which each of them finds', async () => {
      const { roomId, sessions, sockets } = await trioInRoom()
      const [first] = sessions
      expect(first?.roomId).toBe(roomId)
      expect(await first?.joinAgain()).toMatchObject({ roomId, participantId: first?.participantId })
      for (const socket of sockets) socket.close()
    })

    it('[R17] cannot create a room of people who are already in one, of strangers, or of nobody', async () => {
      const experimentId = await table.open(trio)
      const { token } = await table.researcher()
      const make = async (participantIds: string[], experiment = experimentId) =>
        codeOf(
          await table.api.call(roomRoutes.create, {
            token,
            params: { experimentId: experiment },
            body: { participantIds },
          }),
        )
      const [seated, waiting] = [await table.seat(experimentId, 2), await table.join(experimentId)]
      const stranger = await table.join(await table.open(trio))
      const [taken] = seated.sessions
      if (!taken) throw new Error('expected a participant')
      expect(await make([taken.participantId, waiting.participantId])).toBe('ACTION_REFUSED')
      expect(await make([stranger.participantId, waiting.participantId])).toBe('ACTION_REFUSED')
      expect(await make([`part_${'x'.repeat(22)}`, waiting.participantId])).toMatch(
        /ACTION_REFUSED|VALIDATION_FAILED/,
      )
      expect(await make([])).toBe('VALIDATION_FAILED')
      expect(await make([waiting.participantId, waiting.participantId])).toBe('VALIDATION_FAILED')
      expect(await make([waiting.participantId], 'exp_nothing')).toBe('EXPERIMENT_NOT_FOUND')
      expect(await make([waiting.participantId])).toBeUndefined()
    })

    it('[R22,RM55] gets a room on the revision that its members joined, and cannot mix revisions', async () => {
      const experimentId = await table.open(trio)
      const early = [
        await table.join(experimentId),
        await table.join(experimentId),
        await table.join(experimentId),
      ]
      const { token } = await table.researcher()
      const [, ...later] = trio.states
      const body = { ...trio, states: later }
      succeeded(await table.api.call(experimentRoutes.revise, { token, params: { experimentId }, body }))
      const late = await table.join(experimentId)
      const make = (people: { participantId: string }[]) =>
        table.api.call(roomRoutes.create, {
          token,
          params: { experimentId },
          body: { participantIds: people.map(({ participantId }) => participantId) },
        })
      expect(codeOf(await make([...early.slice(1), late]))).toBe('ACTION_REFUSED')
      const { roomId } = succeeded(await make(early))
      expect(await table.report(roomId)).toMatchObject({ revision: 1, stateId: 'ask' })
    })

    it('[R8,R9] every room route requires a researcher and an existing room', async () => {
      const { roomId, sockets, participantIds } = await trioInRoom()
      const { token } = await table.researcher()
      const visitor = await createPerson(table.api)
      for (const route of Object.values(ofRoom)) {
        const call = async (who: string | undefined, room: string) =>
          codeOf(
            await table.api.call(route, {
              ...(who === undefined ? {} : { token: who }),
              params: { roomId: room, participantId: participantIds[0] ?? '' },
              ...('body' in route ? { body: { text: 'hello' } } : {}),
            }),
          )
        expect([route.path, await call(undefined, roomId)]).toEqual([route.path, 'UNAUTHENTICATED'])
        expect([route.path, await call(visitor.token, roomId)]).toEqual([route.path, 'FORBIDDEN'])
        expect([route.path, await call(token, 'room_nothing')]).toEqual([route.path, 'ROOM_NOT_FOUND'])
      }
      for (const socket of sockets) socket.close()
    })

    it('sees the state of the room, who is in it, and for how long', async () => {
      const { roomId, first, second, third, participantIds } = await trioInRoom()
      await acknowledged(first.act('submit_response', { componentId: 'rate', value: 5 }))
      third.close()
      await second.event('presence', ({ alias, presence }) => alias === 'P3' && presence === 'away')
      const report = await table.report(roomId)
      expect(report).toMatchObject({
        status: 'running',
        pacing: 'room',
        stateId: 'ask',
        variables: { mood: 3 },
        endReason: null,
      })
      const seats = await table.seats(roomId)
      expect(seats.map(({ participantId }) => participantId)).toEqual(participantIds)
      expect(seats).toMatchObject([
        { alias: 'P1', presence: 'connected', awaySince: null, answered: ['rate'], variables: { points: 7 } },
        { alias: 'P2', presence: 'connected', answered: [], stateId: 'ask', deadlineAt: report.deadlineAt },
        { alias: 'P3', presence: 'away', awaySince: expect.any(Number), status: 'active' },
      ])
      const times = seats.map(({ timeInStateMs }) => timeInStateMs ?? -1)
      await waitUntil(async () => {
        const [seat] = await table.seats(roomId)
        return (seat?.timeInStateMs ?? 0) > (times[0] ?? 0) || 'time stands still'
      })
      for (const socket of [first, second]) socket.close()
    })

    it('pauses, resumes, announces, advances, removes and ends; everything is audited', async () => {
      const { roomId, sessions, first, second, third, participantIds, call, experimentId } =
        await trioInRoom()
      const deadlineAt = first.snapshot().state?.deadlineAt ?? 0
      succeeded(await call(roomRoutes.pause, { reason: 'fire alarm' }))
      expect(await first.event('paused')).toMatchObject({ reason: 'fire alarm' })
      expect(await refused(first.act('submit_response', { componentId: 'rate', value: 1 }))).toBe(
        'ROOM_PAUSED',
      )
      expect(codeOf(await call(roomRoutes.advance))).toBe('ACTION_REFUSED')
      succeeded(await call(roomRoutes.resume))
      expect((await second.event('resumed')).deadlineAt).toBeGreaterThan(deadlineAt)

      succeeded(await call(roomRoutes.message, { text: 'To all of you.' }))
      succeeded(await call(roomRoutes.message, { text: 'To one of you.', participantId: participantIds[0] }))
      await first.event('announcement', ({ text }) => text === 'To one of you.')
      await second.event('announcement', ({ text }) => text === 'To all of you.')
      expect(
        codeOf(await call(roomRoutes.message, { text: 'Hello?', participantId: sessions[0]?.sessionId })),
      ).toMatch(/NOT_FOUND|VALIDATION_FAILED/)

      succeeded(await call(roomRoutes.advance))
      for (const socket of [first, second, third])
        await socket.event('state_entered', ({ state }) => state.id === 'talk')

      succeeded(await call(roomRoutes.remove, { outcome: 'SCREENED_OUT' }, participantIds[2]))
      expect(await third.event('finished')).toMatchObject({
        outcome: 'SCREENED_OUT',
        completionCode: 'CODE-OUT',
      })
      await first.event('seat', ({ alias, status }) => alias === 'P3' && status === 'removed')
      expect(codeOf(await call(roomRoutes.remove, {}, participantIds[2]))).toBe('ACTION_REFUSED')
      await acknowledged(first.act('send_message', { text: 'now that we are alone' }))
      await second.event('message')
      await waitUntil(
        () => !third.isConnected() || '[R15] the socket of the removed participant is still open',
      )
      const ended = await table.api.call(participantRoutes.discoverV4, {
        session: sessions[2] ?? { sessionId: '' },
      })
      expect(codeOf(ended)).toBe('SESSION_INVALID')

      succeeded(await call(roomRoutes.end, { reason: 'power cut' }))
      expect(await first.event('finished')).toMatchObject({ outcome: 'TECHNICAL' })
      expect(await second.event('room_ended')).toMatchObject({ reason: 'power cut' })
      expect(codeOf(await call(roomRoutes.resume))).toBe('ROOM_ENDED')
      expect(await table.report(roomId)).toMatchObject({
        status: 'ended',
        endReason: 'power cut',
        stateId: null,
      })
      expect(JSON.stringify([second.received, third.received])).not.toContain('To one of you.')
      expect(JSON.stringify(third.received)).not.toContain('now that we are alone')
      for (const socket of [first, second]) socket.close()

      const audit = await readRows(
        world(),
        `select actor, action, details from audit_log where subject = '${roomId}' order by at`,
      )
      expect(audit.map(({ action }) => action)).toEqual([
        'room_created',
        'room_pause',
        'room_resume',
        'room_announce',
        'room_announce',
        'room_advance',
        'room_remove',
        'room_end',
      ])
      expect(new Set(audit.map(({ actor }) => actor)).size).toBe(1)
      const lines = await table.exported(experimentId)
      expect(lines.filter(({ type }) => type === 'announcement')).toHaveLength(4)
      const notes = lines.filter(({ data }) => String(data.researcher).startsWith('res_'))
      expect(countBy(notes.map(({ type }) => type))).toEqual({
        ...{ room_paused: 3, room_resumed: 3, researcher_message: 4, state_advanced: 3 },
        ...{ participant_removed: 3, room_ended: 2 },
      })
      const [pseudonym, ...others] = new Set(notes.map(({ data }) => data.researcher))
      expect([pseudonym, others]).toEqual([expect.stringMatching(/^res_[\w-]{22}$/), []])
      const [{ actor } = { actor: '' }] = audit
      expect(JSON.stringify(lines)).not.toContain(String(actor))
    })

    it('[E20,RM79] the record of everyone tells how it went on after their session had ended', async () => {
      const paid = { ...trio, completion: { payoff: 'points' } }
      const { experimentId, roomId, sessions, sockets, call } = await trioInRoom(paid)
      const [revoked, gone] = sessions
      if (!revoked || !gone) throw new Error('three were to come')
      await table.revoke(revoked.sessionId)
      await table.complete(gone, 'ABANDONED')
      for (const _ of paid.states) succeeded(await call(roomRoutes.advance))
      const seats = await table.seats(roomId)
      await waitUntil(async () => {
        const lines = await table.exported(experimentId)
        const ends = seats.map(({ participantId, outcome }) => {
          const own = lines.filter((line) => line.participantId === participantId)
          const endings = own.filter(({ type }) => type === 'finished' || type === 'participation_ended')
          const paidOut = own.filter(({ type }) => type === 'payoff').map(({ data }) => data.value)
          return { isTold: endings.map(({ data }) => data.outcome).join() === outcome, paidOut }
        })
        return ends.every(({ isTold, paidOut }) => isTold && paidOut.join() === '7') || JSON.stringify(ends)
      })
      const visits = (await table.exported(experimentId)).filter(
        ({ participantId, type }) => participantId === revoked.participantId && type === 'state_transition',
      )
      expect(visits.map(({ stateId }) => stateId)).toEqual(['ask', 'talk', 'last'])
      for (const socket of sockets) socket.close()
    })

    it('[R23] HTTP events and room actions of a participant are one record, in order and without holes', async () => {
      const { experimentId, sessions, sockets, call } = await trioInRoom()
      const apis = world().servers.map(({ http }) => createApi(http))
      await Promise.all(
        sockets.map(async (socket, index) => {
          const session = sessions[index]
          if (!session) throw new Error('expected a session')
          await acknowledged(socket.act('submit_response', { componentId: 'rate', value: index }))
          const batches = Array.from({ length: 6 }, async (_, number) => {
            const api = apis[number % apis.length] ?? table.api
            const events = [numberedEvent(10 * number), numberedEvent(10 * number + 1)]
            succeeded(await api.call(participantRoutes.eventsV4, { session, body: { events } }))
          })
          await Promise.all(batches)
        }),
      )
      succeeded(await call(roomRoutes.advance))
      const said = sockets.map(async (socket, index) => {
        for (let number = 0; number < 8; number++)
          await acknowledged(socket.act('send_message', { text: `${index}-${number}` }))
      })
      await Promise.all(said)
      for (const socket of sockets) await acknowledged(socket.act('ready'))
      const lines = await table.exported(experimentId)
      for (const [index, { participantId }] of sessions.entries()) {
        const own = lines.filter((line) => line.participantId === participantId)
        expect(own.map(({ seq }) => seq)).toEqual(own.map((_, place) => place + 1))
        expect(own.filter(({ type }) => type === 'component_response')).toHaveLength(13)
        const messages = own.filter(({ type }) => type === 'chat_message').map(({ data }) => data.text)
        expect(messages).toEqual(Array.from({ length: 8 }, (_, number) => `${index}-${number}`))
        expect(own.filter(({ type }) => type === 'state_transition').map(({ stateId }) => stateId)).toEqual([
          'ask',
          'talk',
          'last',
        ])
      }
      for (const socket of sockets) socket.close()

      // What the instances count is all of it, not only what came over HTTP.
      const figures = await Promise.all(
        apis.map(async (api) => succeeded(await api.call(operationsRoutes.metrics)).events.recorded),
      )
      expect(figures.reduce((sum, recorded) => sum + recorded, 0)).toBeGreaterThanOrEqual(lines.length)
    })
  },
  { mode: 'cluster' },
)
