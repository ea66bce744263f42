import { type ExperimentDefinition, participantRoutes } from '@atrium/contract'
import { describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { example } from '../rooms/examples.ts'
import { tableIn } from '../rooms/table.ts'
import { castOf, upTo } from './cast.ts'

const buyersLimit = 'worth 120 to you'
const sellersLimit = 'would keep it below 80'

const readersText = { id: 'read', type: 'text', roles: ['reader'], text: 'Read this.' }

const ofTwoRoles: ExperimentDefinition = {
  name: 'Two versions',
  roles: ['reader', 'writer'],
  states: [
    {
      id: 'task',
      components: [readersText, { id: 'write', type: 'text_input', roles: ['writer'] }],
    },
  ],
}

describeInOneMode('Roles', (world) => {
  const cast = castOf(world)
  const table = tableIn(world)
  const joinV3 = async (token: string, experimentId: string, more: object = {}) =>
    succeeded(await cast.api.call(participantRoutes.joinV3, { token, body: { experimentId, ...more } })).data

  test('[R53] the join response does not reveal the seller’s limit to the buyer, in v4 and in v3', async () => {
    const experimentId = await cast.open(example('negotiation'))
    for (const role of ['buyer', 'seller']) {
      const { token, session } = await cast.person().then(async (person) => ({
        ...person,
        session: await person.join(experimentId, { role }),
      }))
      expect(session.role).toBe(role)
      for (const told of [session, await joinV3(token, experimentId, { role })]) {
        expect(JSON.stringify(told)).not.toContain(buyersLimit)
        expect(JSON.stringify(told)).not.toContain(sellersLimit)
        expect(JSON.stringify(told)).not.toContain('"when"')
      }
    }
  })

  test('[R53,R17,S31] before a role is assigned, a participant gets only what everyone sees; afterwards also what their role sees', async () => {
    const experimentId = await table.open(example('negotiation'))
    const waiting = await table.join(experimentId)
    expect(waiting.role).toBe('participant')
    expect(JSON.stringify(waiting)).not.toContain(buyersLimit)
    expect(JSON.stringify(waiting)).not.toContain(sellersLimit)
    expect(waiting.experimentConfig.states.map(({ id }) => id)).toEqual([
      'briefing',
      'talk',
      'price',
      'result',
    ])
    const { sessions } = await table.seat(experimentId, ['buyer', 'seller'])
    const buyer = sessions.find(({ role }) => role === 'buyer')
    if (!buyer) throw new Error('two were to come')
    const again = await buyer.joinAgain()
    const socket = await table.connect(again)
    for (const told of [again, socket.snapshot()]) {
      expect(JSON.stringify(told)).toContain(buyersLimit)
      expect(JSON.stringify(told)).not.toContain(sellersLimit)
    }
    socket.close()
  })

  test('[S30,R17] solo participants who name no role are assigned one, evenly, and keep it', async () => {
    const experimentId = await cast.open(ofTwoRoles)
    const joined = await Promise.all(upTo(8).map(() => cast.participant(experimentId)))
    const roles = joined.map(({ session }) => session.role)
    expect(roles.toSorted()).toEqual([...upTo(4).map(() => 'reader'), ...upTo(4).map(() => 'writer')])
    for (const { session, join } of joined) {
      const [only] = session.experimentConfig.states[0]?.components ?? []
      expect(only?.id).toBe(session.role === 'reader' ? 'read' : 'write')
      const again = await join(experimentId)
      expect(again).toMatchObject({ role: session.role, experimentConfig: session.experimentConfig })
    }
  })

  test('[S30] … and see it in the room; those who name a role get it', async () => {
    const experimentId = await table.open(ofTwoRoles)
    const drawn = await table.join(experimentId)
    const named = await table.join(experimentId, 'writer')
    expect(named.role).toBe('writer')
    for (const session of [drawn, named]) {
      const socket = await table.connect(session)
      const { self, state } = socket.snapshot()
      expect(self.role).toBe(session.role)
      expect(state?.components.map(({ id }) => id)).toEqual([session.role === 'reader' ? 'read' : 'write'])
      socket.close()
    }
  })
})
