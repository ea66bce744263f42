import { type ExportedRow, experimentRoutes } from '@atrium/contract'
import { describeInOneMode, linesOf, type WaitingSocket, waitUntil } from '@atrium/testkit'
import { describe, expect, test } from 'vitest'
import { endless, lobbyIn } from './lobby.ts'

describeInOneMode(
  'When the group is not complete',
  (world) => {
    const lobby = lobbyIn(world)

    test('`wait`: after the deadline, the next participant completes the group', async () => {
      const experimentId = await lobby.open(endless({ matching: { groupSize: 2, deadlineMs: 500 } }))
      const ann = await lobby.come(experimentId)
      // A later participant with the same deadline was told, so Ann's deadline has passed too.
      const paid = { groupSize: 2, deadlineMs: 500, onDeadline: 'end_paid' as const }
      for (let time = 0; time < 2; time++)
        await (await lobby.come(await lobby.open(endless({ matching: paid })))).socket.ended()
      expect(ann.socket.received.waiting_ended).toEqual([])
      await lobby.together([ann, await lobby.come(experimentId)])
    })

    test('`start_short`: those present start', async () => {
      const people = await twoBeforeTheDeadline('start_short')
      const roomId = await lobby.together(people)
      expect(await lobby.seats(roomId)).toHaveLength(2)
    })

    /** Whoever is alone at the deadline is let go: then the machine is busy, and the next pair gets twice as long. */
    async function twoBeforeTheDeadline(onDeadline: 'start_short') {
      for (let deadlineMs = 1_000; deadlineMs < 240_000; deadlineMs *= 2) {
        const experimentId = await lobby.open(endless({ matching: { groupSize: 4, deadlineMs, onDeadline } }))
        const people = await Promise.all([lobby.come(experimentId), lobby.come(experimentId)])
        const told = people.map(({ socket }) =>
          waitUntil(
            () => socket.received.room_assigned.length + socket.received.waiting_ended.length > 0 || 'waits',
          ),
        )
        await Promise.all(told)
        if (people.every(({ socket }) => socket.received.room_assigned.length > 0)) return people
      }
      throw new Error('two people never met before a deadline')
    }

    test('[W11] `end_paid`: the wait ends with its own code, the same on every request', async () => {
      const experimentId = await lobby.open(
        endless({
          matching: { groupSize: 2, deadlineMs: 1_500, onDeadline: 'end_paid' },
          completion: {
            codes: { NOT_MATCHED: 'PAID-4-WAITING' },
            redirectUrl: 'https://site.test/?cc={{code}}',
          },
        }),
      )
      const ann = await lobby.come(experimentId)
      const ended = {
        reason: 'deadline',
        completionCode: 'PAID-4-WAITING',
        redirectUrl: 'https://site.test/?cc=PAID-4-WAITING',
      }
      expect(await ann.socket.ended()).toEqual(ended)
      expect(await ann.wait(1).ended()).toEqual(ended)
      expect((await lobby.complete(ann, 'SUCCESS')).completionCode).toBe('PAID-4-WAITING')
      const bob = await lobby.come(experimentId)
      expect(await bob.socket.status()).toMatchObject({ waiting: 1, position: 1 })
    })

    test('[W17] a closed experiment keeps nobody waiting, and tells everyone so', async () => {
      const experimentId = await lobby.open(endless({ matching: { groupSize: 2 } }))
      const ann = await lobby.come(experimentId)
      await ann.socket.status()
      await (await lobby.researcher()).setStatus(experimentId, 'closed')
      const ended = { reason: 'closed', completionCode: 'NOT_MATCHED', redirectUrl: '' }
      expect(await ann.socket.ended()).toEqual(ended)
      expect(await ann.wait(1).ended()).toEqual(ended)
    })

    describe('who is matched with whom', () => {
      test('[W11] filters screen out, with the code of SCREENED_OUT', async () => {
        const experimentId = await lobby.open(
          endless({
            matching: { groupSize: 2, filters: [{ attribute: 'age', min: 18 }] },
            completion: { codes: { SCREENED_OUT: 'TOO-YOUNG' } },
          }),
        )
        const child = await lobby.come(experimentId, { metadata: { age: 12 } })
        expect(await child.socket.ended()).toMatchObject({
          reason: 'screened_out',
          completionCode: 'TOO-YOUNG',
        })
        const adults = [
          await lobby.come(experimentId, { metadata: { age: 30 } }),
          await lobby.come(experimentId, { metadata: { age: 40 } }),
        ]
        await lobby.together(adults)
      })

      test('[M23] [M29] two of this opinion meet two of that, and the data say how they were found', async () => {
        const experimentId = await lobby.open(
          endless({
            matching: {
              groupSize: 4,
              compose: [
                { when: "metadata.opinion == 'for'", count: 2 },
                { when: "metadata.opinion == 'against'", count: 2 },
              ],
            },
          }),
        )
        const come = (opinion: string) => lobby.come(experimentId, { metadata: { opinion } })
        const inFavour = [await come('for'), await come('for'), await come('for')]
        expect(await (await come('undecided')).socket.ended()).toMatchObject({ reason: 'screened_out' })
        const against = [await come('against'), await come('against')]
        const [one, two, left] = inFavour
        if (!one || !two || !left) throw new Error('three are in favour')
        const roomId = await lobby.together([one, two, ...against])
        expect(await lobby.seats(roomId)).toHaveLength(4)
        expect(left.socket.received.room_assigned).toEqual([])
        const { token } = await lobby.researcher()
        const query = { table: 'assignments', format: 'jsonl' } as const
        const { text } = await lobby.api.call(experimentRoutes.export, {
          token,
          params: { experimentId },
          query,
        })
        const rows = linesOf(text) as ExportedRow<'assignments'>[]
        const partOf = new Map(rows.map(({ participantId, part }) => [participantId, part]))
        expect(partOf).toEqual(
          new Map([
            ...[one, two].map(({ participantId }) => [participantId, 0] as const),
            ...against.map(({ participantId }) => [participantId, 1] as const),
          ]),
        )
        expect(
          rows.map(({ matchedBy, peopleWaiting, peoplePassedOver }) => ({
            matchedBy,
            peopleWaiting,
            peoplePassedOver,
          })),
        ).toEqual(rows.map(() => ({ matchedBy: 'full', peopleWaiting: 5, peoplePassedOver: 1 })))
      })

      test('requested roles are kept, and others are assigned by quota', async () => {
        const experimentId = await lobby.open(
          endless({
            matching: { groupSize: 3 },
            roles: [
              { id: 'seller', min: 1, max: 1 },
              { id: 'buyer', min: 2, max: 2 },
            ],
          }),
        )
        const sellers = [
          await lobby.come(experimentId, { role: 'seller' }),
          await lobby.come(experimentId, { role: 'seller' }),
        ]
        const any = await lobby.come(experimentId)
        const buyer = await lobby.come(experimentId, { role: 'buyer' })
        const [first] = sellers
        if (!first) throw new Error('there is a first seller')
        const roomId = await lobby.together([first, any, buyer])
        const roles = (await lobby.seats(roomId)).map(({ participantId, role }) => [participantId, role])
        expect(Object.fromEntries(roles)).toEqual({
          [first.participantId]: 'seller',
          [any.participantId]: 'buyer',
          [buyer.participantId]: 'buyer',
        })
      })

      test('the same two people are never matched again', async () => {
        const experimentId = await lobby.open(
          endless({
            matching: { groupSize: 2, exclusions: ['never_again'] },
            completion: { allowRepeat: true },
          }),
        )
        const former = [await lobby.come(experimentId), await lobby.come(experimentId)]
        await lobby.together(former)
        for (const person of former) await lobby.complete(person, 'TIMEOUT')
        const back: { socket: WaitingSocket }[] = []
        for (const person of former) {
          const socket = person.wait(undefined, await person.joinAgain())
          await socket.status()
          back.push({ socket })
        }
        const [ann, bob] = back
        if (!ann || !bob) throw new Error('both are back')
        await ann.socket.status(({ waiting }) => waiting === 2)
        await lobby.together([ann, await lobby.come(experimentId)])
        expect(bob.socket.received.room_assigned).toEqual([])
      })

      test('[W12] only people of one revision share a room', async () => {
        const definition = endless({ matching: { groupSize: 2 } })
        const experimentId = await lobby.open(definition)
        const ann = await lobby.come(experimentId)
        await ann.socket.status()
        await lobby.revise(experimentId, { ...definition, name: 'Waiting, revised' })
        const later = [await lobby.come(experimentId), await lobby.come(experimentId)]
        await lobby.together(later)
        expect(ann.socket.received.room_assigned).toEqual([])
      })
    })
  },
  { env: { MAX_ROOMS_PER_POD: '200', MAX_PARTICIPANTS_PER_POD: '1000' } },
)
