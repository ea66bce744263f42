import { type ExperimentDefinition, participantRoutes } from '@atrium/contract'
import { describeInBothModes, type RoomSocket, type SocketSession } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { agentsIn, bargaining, seller, sellingModel } from '../agents/bargaining.ts'
import { example } from './examples.ts'
import { acknowledged } from './table.ts'

const canary = /CANARYX/i
const conditions = { values: ['CANARYXhigh', 'CANARYXlow'] }

/** With conditions that can be found in whatever is sent. */
const renamed = (definition: ExperimentDefinition): ExperimentDefinition => ({
  ...(JSON.parse(JSON.stringify(definition).replaceAll("'high'", "'CANARYXhigh'")) as ExperimentDefinition),
  conditions: { ...definition.conditions, ...conditions },
})

const wire = (sockets: readonly RoomSocket[]): string =>
  JSON.stringify(sockets.map(({ received }) => received))

describeInBothModes('Blinding', (world) => {
  const { table, model, buyer } = agentsIn(world)

  /** Every answer that a participant can get over HTTP, and the page. */
  async function asked(session: SocketSession & { token: string }, experimentId: string): Promise<string> {
    const { http } = table.server()
    const answers = await Promise.all([
      table.api.call(participantRoutes.discoverV4, { session }),
      table.api.call(participantRoutes.discoverV3, { token: session.token }),
      table.api.call(participantRoutes.historyV4, { token: session.token }),
      table.api.call(participantRoutes.joinV4, { token: session.token, body: { experimentId } }),
    ])
    const page = await fetch(`${http}/join/${experimentId}`)
    return [...answers.map(({ text }) => text), await page.text()].join('\n')
  }

  test('[RM180] in the public goods game, no participant is sent the name of their condition', async () => {
    const experimentId = await table.open(renamed(example('public-goods')))
    const { sessions, roomId } = await table.seat(experimentId, 4)
    const sockets = await Promise.all(sessions.map((session) => table.connect(session)))
    await table.advance(roomId)
    await Promise.all(sockets.map((socket) => socket.event('state_entered')))
    expect((await table.report(roomId)).condition).toMatch(canary)
    expect(wire(sockets)).not.toMatch(canary)
    // What follows from the condition is theirs to see.
    for (const socket of sockets) expect([1.6, 2.4]).toContain(socket.snapshot().variables.factor)
    for (const session of sessions) expect(await asked(session, experimentId)).not.toMatch(canary)
  })

  test('[RM180] a model is not sent it either, unless its instructions name it', async () => {
    for (const instructions of ['Sell the bicycle.', 'Ask for more if `experiment.condition` is high.']) {
      const prompts: string[] = []
      const { credentialId } = await model({
        onCompletion: (request) => {
          prompts.push(JSON.stringify(request))
          return sellingModel(request)
        },
      })
      const experimentId = await table.open(
        bargaining([seller({ credentialId, instructions })], { conditions }),
      )
      const { socket } = await buyer(experimentId)
      await socket.event('message')
      await acknowledged(socket.act('ready'))
      await socket.event('state_entered', ({ state }) => state.id === 'price')
      const told = prompts.filter((prompt) => canary.test(prompt)).length
      expect(told).toBe(instructions.includes('experiment.condition') ? prompts.length : 0)
      expect(wire([socket])).not.toMatch(canary)
      socket.close()
    }
  })

  test('[RM180] a text that shows it is filled for the role that reads it, and for no other', async () => {
    const experimentId = await table.open({
      name: 'Told',
      conditions,
      roles: [{ id: 'insider' }, { id: 'outsider' }],
      matching: { groupSize: 2 },
      states: [
        {
          id: 'told',
          components: [
            { id: 'note', type: 'text', roles: ['insider'], ...{ text: 'You are in {{ condition }}.' } },
            { id: 'chat', type: 'chat' },
          ],
        },
      ],
    })
    const { sessions } = await table.seat(experimentId, ['insider', 'outsider'])
    const sockets = await Promise.all(sessions.map((session) => table.connect(session)))
    const [insider, outsider] = ['insider', 'outsider'].map((role) =>
      sockets.filter((socket) => socket.snapshot().self.role === role),
    )
    expect(JSON.stringify(insider?.[0]?.snapshot().state)).toMatch(/You are in CANARYX(high|low)\./)
    expect(insider?.[0]?.snapshot().condition).toMatch(canary)
    expect(wire(outsider ?? [])).not.toMatch(canary)
  })
})
