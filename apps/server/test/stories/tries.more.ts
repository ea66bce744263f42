import {
  accessSubjectOf,
  allRoutes,
  type ExperimentDefinition,
  experimentRoutes,
  identityRoutes,
  subjectCodes,
  tryRoutes,
} from '@atrium/contract'
import {
  codeOf,
  createResearcher,
  describeInBothModes,
  openRoomSocket,
  openWaitingSocket,
  smallestDefinition,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, test } from 'vitest'
import { example } from '../rooms/examples.ts'
import { readRows } from '../rooms/rows.ts'
import { castOf } from './cast.ts'
import { refusalOf } from './refusal.ts'

describeInBothModes(
  'Tries',
  (world) => {
    const cast = castOf(world)
    const address = () => world().front().http

    /** A draft of a researcher, and what they do with it. */
    async function author() {
      const { token } = await createResearcher(cast.api)
      const { experimentId } = succeeded(
        await cast.api.call(experimentRoutes.create, { token, body: smallestDefinition() }),
      )
      const params = { experimentId }
      return {
        token,
        experimentId,
        start: (definition: unknown, options: object = {}) =>
          cast.api.call(tryRoutes.start, { token, params, body: { definition, ...options } }),
        list: async () => succeeded(await cast.api.call(tryRoutes.list, { token, params })).tries,
        stop: (tryId: string, by = token) =>
          cast.api.call(tryRoutes.stop, { token: by, params: { experimentId, tryId } }),
      }
    }

    /** As a pane does: a guest, without an account. */
    async function pane(experimentId: string, role: string) {
      const { idToken } = succeeded(await cast.api.call(identityRoutes.guest, { body: { experimentId } }))
      const { data } = succeeded(await cast.join(idToken, { experimentId, role }))
      return { ...data, idToken }
    }
    type Pane = Awaited<ReturnType<typeof pane>>

    /** Waits if there is anybody to wait for, and enters the room. */
    async function enter(session: Pane) {
      if (!session.roomId.startsWith('waiting_')) return await openRoomSocket(address(), session)
      const waiting = openWaitingSocket(address(), session)
      const { roomId } = await waiting.assigned()
      waiting.close()
      return await openRoomSocket(address(), { ...session, roomId })
    }

    test('[TR3] two panes meet in a room, and nothing of it is in any list, export or figure', async () => {
      const ada = await author()
      const started = succeeded(await ada.start(example('negotiation')))
      const { tryId, link, seats } = started
      expect([link, seats]).toEqual([`/try/${tryId}`, [{ role: 'buyer' }, { role: 'seller' }]])
      const panes = await Promise.all(seats.map(({ role }) => pane(tryId, role)))
      const rooms = await Promise.all(panes.map(enter))
      const views = rooms.map((room) => room.snapshot())
      expect(views.map(({ self }) => self.role)).toEqual(['buyer', 'seller'])
      expect(new Set(views.map(({ roomId }) => roomId)).size).toBe(1)
      expect(views[0]?.state?.id).toBe('briefing')

      const admin = await cast.api.token('an-admin', ['admin'])
      for (const token of [ada.token, admin]) {
        const { experiments } = succeeded(await cast.api.call(experimentRoutes.list, { token }))
        expect(experiments.map((one) => one.experimentId)).toContain(ada.experimentId)
        expect(JSON.stringify(experiments)).not.toContain(tryId)
        const { roomId = '' } = views[0] ?? {}
        const { sessionId = '', participantId = '' } = panes[0] ?? {}
        const others = {
          tryId,
          fileId: `file_${'x'.repeat(22)}`,
          studyId: 'x',
          submissionId: 'x',
          revision: '1',
        }
        const params = { experimentId: tryId, roomId, sessionId, participantId, ...others }
        for (const route of allRoutes) {
          const subject = accessSubjectOf(route)
          if (!subject || (route.auth === 'admin' && token !== admin)) continue
          const answer = await cast.api.call(route, { token, params, ...(route.body && { body: {} }) })
          expect([route.path, codeOf(answer)]).toEqual([route.path, subjectCodes[subject]])
        }
      }
      const [first] = panes
      if (!first) throw new Error('there are two panes')
      expect((await cast.discover(first)).text).not.toContain(tryId)
      const as = { token: ada.token, params: { experimentId: ada.experimentId } }
      expect(succeeded(await cast.api.call(experimentRoutes.monitor, as)).participants.total).toBe(0)
      expect((await cast.api.call(experimentRoutes.export, as)).text).toBe('')
      expect(await ada.list()).toMatchObject([{ tryId, link }])

      // Nobody else can delete it, and whoever started it can, while people are in it.
      const ben = await createResearcher(cast.api)
      expect(codeOf(await ada.stop(tryId, ben.token))).toBe('EXPERIMENT_NOT_FOUND')
      succeeded(await ada.stop(tryId, admin))
      expect(await ada.list()).toHaveLength(1)
      succeeded(await ada.stop(tryId))
      expect(await ada.list()).toEqual([])
      for (const room of rooms) await waitUntil(() => !room.isConnected() || 'the room is still open')
      for (const table of ['participants', 'rooms', 'experiments', 'event_streams'])
        expect(await readRows(world(), `select * from ${table} where experiment_id = '${tryId}'`)).toEqual([])
      expect((await cast.discover(first)).status).toBe(401)
      succeeded(await ada.stop(tryId))
      for (const room of rooms) room.close()
    })

    test('[TR4] agents take the other seats, time is short, and the study begins where it should', async () => {
      const ada = await author()
      const { tryId } = succeeded(
        await ada.start(example('negotiation'), { fill: true, speed: 20, startAt: 'price' }),
      )
      const room = await enter(await pane(tryId, 'seller'))
      expect(room.snapshot()).toMatchObject({ self: { role: 'seller' }, state: { id: 'price' } })
      expect(room.snapshot().others).toMatchObject([{ role: 'buyer' }])
      room.close()
      succeeded(await ada.stop(tryId))
    })

    test('[TR2] somebody alone begins at any state', async () => {
      const ada = await author()
      const { tryId, seats } = succeeded(await ada.start(smallestDefinition(), { startAt: 's2' }))
      expect(seats).toEqual([{ role: 'participant' }])
      const room = await enter(await pane(tryId, 'participant'))
      expect(room.snapshot().state?.id).toBe('s2')
      expect(room.snapshot().progress).toEqual({ done: 1, of: 2 })
      room.close()
    })

    test('[TR1] what saving would refuse is refused, with the place', async () => {
      const ada = await author()
      const wrong: Partial<ExperimentDefinition> = {
        states: [{ id: 's1', components: [], next: [{ to: 'no' }] }],
      }
      const refusal = refusalOf(await ada.start(smallestDefinition(wrong)))
      expect(refusal).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      expect(JSON.stringify(refusal)).toContain('/definition/states/0/next/0/to')
      expect(refusalOf(await ada.start(smallestDefinition(), { startAt: 'no' }))).toMatchObject({
        details: { issues: [{ path: '/startAt' }] },
      })
      expect(await ada.list()).toEqual([])
    })

    test('[TR6] the sixth try of a researcher is refused', async () => {
      const ada = await author()
      for (let number = 1; number <= 5; number++) succeeded(await ada.start(smallestDefinition()))
      expect(refusalOf(await ada.start(smallestDefinition()))).toMatchObject({ code: 'ACTION_REFUSED' })
      const [newest] = await ada.list()
      succeeded(await ada.stop(newest?.tryId ?? ''))
      succeeded(await ada.start(smallestDefinition()))
    })
  },
  { router: true },
)
