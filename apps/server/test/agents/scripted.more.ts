import type { ExperimentDefinition } from '@atrium/contract'
import { describeInBothModes } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { tableIn } from '../rooms/table.ts'

const quick = { thinkMs: 0, thinkSpreadMs: 0, charactersPerSecond: 10_000 }

const bargaining = {
  name: 'Bargaining',
  roles: [
    { id: 'buyer', min: 1, max: 1 },
    { id: 'seller', min: 1, max: 1 },
  ],
  states: [
    { id: 'talk', components: [{ id: 'chat', type: 'chat' }] },
    {
      id: 'price',
      components: [{ id: 'offer', type: 'slider', min: 0, max: 200 }],
      end: { on: 'all_responded' },
      onEnd: { agreed: 'count(responses.offer) == 2' },
    },
  ],
  variables: { agreed: false },
  agents: [
    {
      id: 'robin',
      name: 'Robin',
      provider: 'Scripted',
      role: 'seller',
      seats: 1,
      instructions: 'Sell the bicycle.',
      pacing: quick,
      script: [
        { state: 'talk', say: ['Hello! I am asking for 110.', 'Fine: you said “{{last}}”.'] },
        { state: 'price', answers: { offer: 110 } },
      ],
    },
  ],
} as ExperimentDefinition

describeInBothModes('Agents without a model', (world) => {
  const table = tableIn(world)

  test('[R43][R44] a person and a scripted agent negotiate to the end, and both are in the record', async () => {
    const experimentId = await table.open(bargaining)
    const joined = await table.join(experimentId)
    const socket = await table.connect({ ...joined, roomId: joined.roomId ?? '' })
    const greeting = await socket.event('message', ({ message }) => message.from === 'P2')
    expect(greeting.message).toMatchObject({ text: 'Hello! I am asking for 110.', agent: true })
    expect(socket.snapshot().others).toMatchObject([{ alias: 'P2', role: 'seller', agent: 'Robin' }])
    await socket.act('send_message', { componentId: 'chat', text: '100?' })
    await socket.event('message', ({ message }) => message.text === 'Fine: you said “100?”.')
    await socket.act('ready', {})
    await socket.event('state_entered', ({ state }) => state.id === 'price')
    await socket.act('submit_response', { componentId: 'offer', value: 110 })
    await socket.event('finished')
    const lines = await (await table.researcher()).exported(experimentId)
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'component_response', participantId: joined.participantId }),
    )
  })
})
