import { createApi, createPerson, createResearcher, describeInOneMode, openRoomSocket } from '@atrium/testkit'
import { expect, it } from 'vitest'

const survey = {
  name: 'Survey',
  states: [
    { id: 'intro', components: [{ id: 'hello', type: 'text' }] },
    { id: 'ask', components: [{ id: 'mood', type: 'slider' }], end: { on: 'all_responded' as const } },
  ],
}

describeInOneMode('A solo room', (world) => {
  it('[R26] sends a snapshot, accepts actions, and ends', async () => {
    const server = world().servers[0]
    if (!server) throw new Error('no server')
    const api = createApi(server.http)
    const researcher = await createResearcher(api)
    const experimentId = await researcher.openExperiment(survey)
    const session = await (await createPerson(api)).join(experimentId)
    const room = await openRoomSocket(server.http, session)
    expect(room.snapshot().state?.id).toBe('intro')
    expect(await room.act('ready')).toMatchObject({ ok: true })
    await room.event('state_entered', (event) => event.state.id === 'ask')
    expect(await room.act('submit_response', { componentId: 'nope', value: 1 })).toMatchObject({
      ok: false,
      error: { code: 'ACTION_REFUSED' },
    })
    expect(await room.act('submit_response', { componentId: 'mood', value: 40 })).toMatchObject({ ok: true })
    expect((await room.event('finished')).outcome).toBe('SUCCESS')
    const lines = await researcher.exported(experimentId)
    expect(lines.map((line) => [line.seq, line.type, line.stateId])).toMatchInlineSnapshot(`
      [
        [
          1,
          "state_transition",
          "intro",
        ],
        [
          2,
          "connected",
          null,
        ],
        [
          3,
          "ready",
          "intro",
        ],
        [
          4,
          "state_transition",
          "ask",
        ],
        [
          5,
          "component_response",
          "ask",
        ],
        [
          6,
          "finished",
          null,
        ],
      ]
    `)
    room.close()
  })
})
