import { describeInOneMode, type RoomSocket, waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { entered, example } from './examples.ts'
import { acknowledged, refused, tableIn } from './table.ts'

/** Checks that nothing received contains the answer key. */
const expectNoKey = (sockets: readonly RoomSocket[]) => {
  for (const socket of sockets) expect(JSON.stringify(socket.received)).not.toContain('"correct"')
}

describeInOneMode('The examples, played to their end', (world) => {
  const table = tableIn(world)

  async function survey() {
    const experimentId = await table.open(example('quick-survey'))
    const session = await table.join(experimentId)
    return { experimentId, session, room: await table.connect(session) }
  }

  /** Agrees as soon as the server allows it. */
  async function agree(room: RoomSocket): Promise<void> {
    const agreement = { componentId: 'agreement', value: { agreed: true } }
    await waitUntil(
      async () => {
        const answer = await room.act('submit_response', agreement)
        return answer.ok || answer.error.code
      },
      { everyMs: 200 },
    )
    await acknowledged(room.act('ready'))
    await entered(room, 'instructions')
  }

  const answerCheck = (room: RoomSocket, scale: string) =>
    acknowledged(room.act('submit_response', { componentId: 'understood', value: { answers: { scale } } }))

  it('quick-survey: consent, a check scored by the server, a branch, and the platform’s code', async () => {
    const { experimentId, session, room } = await survey()
    await agree(room)
    await answerCheck(room, 'very bad')
    expect((await room.event('result')).result).toEqual({ passed: false, attemptsLeft: 2, wrong: ['scale'] })
    await answerCheck(room, 'very good')
    await acknowledged(room.act('ready'))
    await entered(room, 'questions')
    await acknowledged(room.act('submit_response', { componentId: 'mood', value: 10 }))
    await acknowledged(room.act('submit_response', { componentId: 'sleep', value: 'badly' }))
    await acknowledged(room.act('ready'))
    expect(await entered(room, 'low_mood')).toMatchObject({ globalComponents: [{ id: 'progress' }] })
    await acknowledged(room.act('ready'))
    await entered(room, 'thanks')
    await acknowledged(room.act('ready'))
    expect((await room.event('finished')).outcome).toBe('SUCCESS')
    const [seat] = await table.seats(session.roomId)
    expect(seat).toMatchObject({ status: 'finished', outcome: 'SUCCESS', variables: { mood: 10 } })
    expect(await table.complete(session, 'SUCCESS')).toMatchObject({ completionCode: 'SURVEY-DONE' })
    expectNoKey([room])
    const scores = (await table.exported(experimentId)).filter(
      ({ componentId }) => componentId === 'understood',
    )
    expect(scores.map(({ data }) => data.score)).toEqual([0, 1])
    room.close()
  })

  it('quick-survey: declining, and failing the check three times, each end with their own code', async () => {
    const declined = await survey()
    await acknowledged(
      declined.room.act('submit_response', { componentId: 'agreement', value: { agreed: false } }),
    )
    expect((await declined.room.event('finished')).outcome).toBe('NO_CONSENT')
    expect(await table.complete(declined.session, 'NO_CONSENT')).toMatchObject({
      completionCode: 'SURVEY-DECLINED',
    })

    const failed = await survey()
    await agree(failed.room)
    for (let attempt = 0; attempt < 3; attempt++) await answerCheck(failed.room, 'very bad')
    expect((await failed.room.event('finished')).outcome).toBe('SCREENED_OUT')
    expect(await refused(failed.room.act('ready'))).toBe('ROOM_ENDED')
    expect(await table.complete(failed.session, 'SCREENED_OUT')).toMatchObject({
      completionCode: 'SURVEY-SCREENED',
    })
    expectNoKey([declined.room, failed.room])
    for (const { room } of [declined, failed]) room.close()
  })

  it('negotiation: each sees their own side; different prices lead back to the talk, equal prices to the gains', async () => {
    const { roomId, sessions } = await table.seat(await table.open(example('negotiation')), [
      'buyer',
      'seller',
    ])
    const sockets = await Promise.all(sessions.map(table.connect))
    const withRole = (role: string) => {
      const found = sockets.find((socket) => socket.snapshot().self.role === role)
      if (!found) throw new Error(`there is no ${role}`)
      return found
    }
    const [buyer, seller] = [withRole('buyer'), withRole('seller')]
    expect(buyer.snapshot().state?.components.map(({ id }) => id)).toEqual(['buyer_note'])
    expect(seller.snapshot().state?.components.map(({ id }) => id)).toEqual(['seller_note'])

    for (const [visit, offers] of [
      [90, 110],
      [100, 100],
    ].entries()) {
      for (const socket of sockets)
        await acknowledged(socket.act('ready', { stateId: visit ? 'talk' : 'briefing' }))
      if (visit === 0) {
        for (const socket of sockets) await entered(socket, 'talk')
        await acknowledged(seller.act('send_message', { text: 'What about 110?' }))
        expect((await buyer.event('message')).message).toMatchObject({
          text: 'What about 110?',
          componentId: 'chat',
        })
        for (const socket of sockets) await acknowledged(socket.act('ready', { stateId: 'talk' }))
      }
      await buyer.event('state_entered', ({ state }) => state.id === 'price' && state.visit === 3 + 2 * visit)
      await acknowledged(buyer.act('submit_response', { componentId: 'offer', value: offers[0] }))
      await acknowledged(seller.act('submit_response', { componentId: 'offer', value: offers[1] }))
    }
    for (const socket of sockets) await entered(socket, 'result')
    expect(await table.report(roomId)).toMatchObject({ variables: { agreed: true, price: 100 } })
    const gains = (await table.seats(roomId)).map(({ role, variables }) => [role, variables.gain])
    expect(Object.fromEntries(gains)).toEqual({ buyer: 20, seller: 20 })
    for (const socket of sockets) await acknowledged(socket.act('ready', { stateId: 'result' }))
    for (const [index, socket] of sockets.entries()) {
      expect((await socket.event('finished')).outcome).toBe('SUCCESS')
      const session = sessions[index]
      if (session)
        expect(await table.complete(session, 'SUCCESS')).toMatchObject({ completionCode: 'NEGO-DONE' })
      socket.close()
    }
  })

  it('negotiation: when one leaves, it ends for the other, who gets the code for that', async () => {
    const { sessions } = await table.seat(await table.open(example('negotiation')), ['buyer', 'seller'])
    const [leaver, other] = await Promise.all(sessions.map(table.connect))
    await leaver?.act('leave', { reason: 'the phone rings' })
    expect((await leaver?.event('finished'))?.outcome).toBe('ABANDONED')
    expect((await other?.event('finished'))?.outcome).toBe('PARTNER_LEFT')
    const session = sessions[1]
    if (session)
      expect(await table.complete(session, 'PARTNER_LEFT')).toMatchObject({ completionCode: 'NEGO-PARTNER' })
    for (const socket of [leaver, other]) socket?.close()
  })

  it('public-goods: five rounds, with the points calculated by hand', async () => {
    const { roomId, sessions } = await table.seat(await table.open(example('public-goods')), 4)
    const sockets = await Promise.all(sessions.map(table.connect))
    for (const socket of sockets) {
      const answer = (share: string) =>
        acknowledged(socket.act('submit_response', { componentId: 'check', value: { answers: { share } } }))
      await answer('only those who paid in')
      await answer('all four')
    }
    for (let round = 1; round <= 5; round++) {
      await Promise.all(sockets.map((socket) => entered(socket, 'contribute', round)))
      const gifts = [20, 10, 0, 5]
      // In the third round the fourth participant does not respond, and the researcher ends the state.
      const givers = round === 3 ? sockets.slice(0, 3) : sockets
      for (const [seat, socket] of givers.entries())
        await acknowledged(socket.act('submit_response', { componentId: 'contribution', value: gifts[seat] }))
      if (round === 3) await table.advance(roomId)
      await Promise.all(sockets.map((socket) => entered(socket, 'feedback', round)))
      expect(await table.report(roomId)).toMatchObject({ variables: { pot: round === 3 ? 30 : 35 } })
      await table.advance(roomId)
    }
    await Promise.all(sockets.map((socket) => entered(socket, 'debrief')))

    const { condition } = await table.report(roomId)
    // low: 35 · 1.6 / 4 = 14 a round, 12 in the third; high: 35 · 2.4 / 4 = 21, and 18.
    const byHand = condition === 'low' ? [68, 118, 168, 148] : [102, 152, 202, 182]
    const points = (await table.seats(roomId)).map(({ variables }) => Number(variables.points))
    for (const [seat, value] of points.entries()) expect(value).toBeCloseTo(byHand[seat] ?? -1, 9)
    const told = sockets.map((socket) =>
      socket.events
        .flatMap((event) => (event.type === 'variables' && 'points' in event.self ? [event.self.points] : []))
        .at(-1),
    )
    expect(told).toEqual(points)
    expect(JSON.stringify(sockets.map((socket) => socket.received))).not.toContain('contributions')
    expectNoKey(sockets)

    for (const socket of sockets) await acknowledged(socket.act('ready'))
    for (const [index, socket] of sockets.entries()) {
      expect((await socket.event('finished')).outcome).toBe('SUCCESS')
      const session = sessions[index]
      if (session)
        expect(await table.complete(session, 'SUCCESS')).toMatchObject({ completionCode: 'PGG-DONE' })
      socket.close()
    }
  })
})
