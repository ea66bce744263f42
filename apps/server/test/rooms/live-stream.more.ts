import {
  type ExperimentDefinition,
  keyRoutes,
  liveRoutes,
  privacyRoutes,
  shareRoutes,
} from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  describeInBothModes,
  describeInOneMode,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, it } from 'vitest'
import { openLiveStream } from './live-stream.ts'
import { acknowledged, tableIn } from './table.ts'

const game: ExperimentDefinition = {
  name: 'Pots',
  consent: { text: 'Do you agree?' },
  states: [
    {
      id: 'give',
      name: 'Contribute',
      components: [
        { id: 'much', type: 'slider' },
        { id: 'talk', type: 'chat' },
      ],
      end: { on: 'all_responded' },
    },
    { id: 'bye', components: [] },
  ],
  blocks: [{ id: 'game', states: ['give'], rounds: 2 }],
  matching: { groupSize: 2 },
}

describeInBothModes('The live stream of an experiment', (world) => {
  const table = tableIn(world)

  async function everywhere(experimentId: string) {
    const { token } = await table.researcher()
    return await Promise.all(world().servers.map(({ http }) => openLiveStream(http, experimentId, token)))
  }

  it('[RM144] tells what has changed, whichever instance holds the room', async () => {
    const { consent: _, ...open } = game
    const experimentId = await table.open(open)
    const streams = await everywhere(experimentId)
    for (const stream of streams)
      expect(await stream.until(() => true, 'nothing was said')).toMatchObject({ joined: 0, rooms: [] })

    const { roomId, sessions } = await table.seat(experimentId, 2)
    const sockets = await Promise.all(sessions.map((session) => table.connect(session)))
    for (const stream of streams)
      await stream.until(
        ({ rooms: [room], placed }) =>
          placed === 2 && room?.seats.filter(({ presence }) => presence === 'connected').length === 2,
        'nobody is seen to be there',
      )
    const [first] = sockets
    if (!first) throw new Error('two people sit in the room')
    await acknowledged(first.act('send_message', { componentId: 'talk', text: 'Shall we say seven?' }))
    for (const socket of sockets)
      await acknowledged(socket.act('submit_response', { componentId: 'much', value: 7 }))
    for (const stream of streams) {
      const { rooms, words } = await stream.until(
        ({ rooms: [room], words }) => room?.state?.round === 2 && words.length === 3,
        'the second round is not seen',
      )
      expect(rooms).toMatchObject([
        { roomId, state: { id: 'give', name: 'Contribute', round: 2, rounds: 2 } },
      ])
      expect(words.map(({ kind, alias, text }) => [kind, alias, text]).toSorted()).toEqual([
        ['answer', 'P1', '7'],
        ['answer', 'P2', '7'],
        ['message', 'P1', 'Shall we say seven?'],
      ])
      // Only the first is whole.
      expect(stream.pushes().map(({ isWhole }) => isWhole)).toEqual(
        stream.pushes().map((_push, index) => index === 0),
      )
    }

    await table.endRoom(roomId)
    for (const stream of streams)
      await stream.until(({ rooms }) => rooms.length === 0, 'the room is still there')
    for (const { close } of [...streams, ...sockets]) close()
  })

  it('[RM144] says the same to everybody who watches', async () => {
    const experimentId = await table.open({ name: 'Alone', states: [{ id: 'ask', components: [] }] })
    const { token } = await table.researcher()
    const [first, second] = await Promise.all(
      [1, 2].map(() => openLiveStream(table.server().http, experimentId, token)),
    )
    if (!first || !second) throw new Error('two streams are open')
    const { roomId } = await table.join(experimentId)
    for (const stream of [first, second])
      await stream.until(({ rooms }) => rooms[0]?.roomId === roomId, 'the room is not seen')
    await waitUntil(() => first.pushes().length === second.pushes().length || 'one has more')
    expect(first.text()).toBe(second.text())
    first.close()
    second.close()
  })

  it('[RM145] is open to those with whom the experiment is shared, for as long as it is', async () => {
    const experimentId = await table.open(game)
    const { token: owner } = await table.researcher()
    const viewer = await table.api.token('live-viewer', ['researcher'], 'viewer@example.org')
    const share = async (shares: { user: string; access: 'view' }[]) =>
      succeeded(
        await table.api.call(shareRoutes.replace, {
          token: owner,
          params: { experimentId },
          body: { shares },
        }),
      )
    const refused = await table.api.call(liveRoutes.stream, { token: viewer, params: { experimentId } })
    expect(codeOf(refused)).toBe('EXPERIMENT_NOT_FOUND')
    await share([{ user: 'viewer@example.org', access: 'view' }])
    const [theirs, ours] = [
      await openLiveStream(table.server().http, experimentId, viewer),
      await openLiveStream(table.server().http, experimentId, owner),
    ]
    await share([])
    expect(await theirs.ended).toBe('ended')
    await table.join(experimentId)
    await ours.until(({ joined }) => joined === 1, 'the owner is not told')
    expect(theirs.now().joined).toBe(0)
    ours.close()
  })

  it('[R15] [R49] [RM145] ends on every instance when the key is revoked that opened it', async () => {
    const experimentId = await table.open(game)
    const { token } = await table.researcher()
    const body = { name: 'Watch', access: 'read' } as const
    const { keyId, key } = succeeded(await table.api.call(keyRoutes.create, { token, body }))
    const streams = await Promise.all(
      world().servers.map(({ http }) => openLiveStream(http, experimentId, key)),
    )
    const ours = await openLiveStream(table.server().http, experimentId, token)
    for (const stream of streams) await stream.until(() => true, 'nothing was said')
    succeeded(await table.api.call(keyRoutes.revoke, { token, params: { keyId } }))
    for (const stream of streams) expect(await stream.ended).toBe('ended')
    await table.join(experimentId)
    await ours.until(({ joined }) => joined === 1, 'the owner is not told')
    for (const stream of streams) expect(stream.now().joined).toBe(0)
    ours.close()
  })

  it('[RM145] takes up to ten streams of a person, and another when one is closed', async () => {
    const experimentId = await table.open(game)
    const token = await table.api.token('live-many', ['researcher', 'admin'])
    const { http } = table.server()
    const open = () => openLiveStream(http, experimentId, token)
    const streams = await Promise.all(Array.from({ length: 10 }, open))
    const eleventh = await createApi(http).call(liveRoutes.stream, { token, params: { experimentId } })
    expect([eleventh.status, codeOf(eleventh)]).toEqual([503, 'UNAVAILABLE'])
    // Everybody else is let in.
    const { token: other } = await table.researcher()
    ;(await openLiveStream(http, experimentId, other)).close()
    streams[0]?.close()
    await waitUntil(async () => {
      streams.push(await open())
      return true as const
    })
    for (const { close } of streams) close()
  })

  it('[RM145] forgets what somebody said who is deleted', async () => {
    const { consent: _, ...open } = game
    const experimentId = await table.open(open)
    const { sessions } = await table.seat(experimentId, 2)
    const sockets = await Promise.all(sessions.map((session) => table.connect(session)))
    for (const [index, socket] of sockets.entries())
      await acknowledged(socket.act('send_message', { componentId: 'talk', text: `from ${index}` }))
    const [stream] = await everywhere(experimentId)
    if (!stream) throw new Error('a stream is open')
    const texts = () => stream.now().words.map(({ text }) => text)
    await stream.until(
      () => texts().includes('from 0') && texts().includes('from 1'),
      'the words are missing',
    )
    for (const { close } of sockets) close()
    const { token } = await table.researcher()
    const participantId = sessions[0]?.participantId ?? ''
    succeeded(
      await table.api.call(privacyRoutes.erase, {
        token,
        params: { experimentId, participantId },
        query: { scope: 'all' },
      }),
    )
    await stream.until(() => !texts().includes('from 0'), 'what they said is still there')
    stream.close()
  })
})

describeInOneMode(
  'The live stream behind the router',
  (world) => {
    const table = tableIn(world)

    it('[RM145] ends in order when its instance shuts down, and goes on at another', async () => {
      const experimentId = await table.open({ name: 'Alone', states: [{ id: 'ask', components: [] }] })
      const { token } = await table.researcher()
      const [leaving, staying] = world().servers
      if (!leaving || !staying) throw new Error('a cluster has two pods')
      const own = await openLiveStream(leaving.http, experimentId, token)
      const routed = await openLiveStream(world().front().http, experimentId, token)
      for (const stream of [own, routed]) await stream.until(() => true, 'nothing was said')
      await leaving.end()
      expect(await own.ended).toBe('ended')
      const streams: Awaited<ReturnType<typeof openLiveStream>>[] = []
      await waitUntil(async () => {
        streams.push(await openLiveStream(world().front().http, experimentId, token))
        return true as const
      })
      const { roomId } = await (await createPerson(createApi(staying.http))).join(experimentId)
      for (const stream of streams)
        await stream.until(({ rooms }) => rooms[0]?.roomId === roomId, 'the room is not seen')
      for (const { close } of [routed, ...streams]) close()
    })
  },
  { mode: 'cluster', router: true },
)
