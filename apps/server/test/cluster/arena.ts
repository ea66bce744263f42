import { roomRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  openRoomSocket,
  type Server,
  succeeded,
  type World,
  waitUntil,
} from '@atrium/testkit'
import { endlessGame, startPlayers } from '../rooms/endless-game.ts'
import { readRows } from '../rooms/rows.ts'
import { expectNothingLost } from './ledger.ts'

/** Games played through the router while instances fail. */
export function arenaIn(world: () => World) {
  const api = createApi(() => world().front().http)
  const epochOf = async (roomId: string) => {
    const [row] = await readRows(world(), `select pod_id, epoch from rooms where room_id = '${roomId}'`)
    return { podId: String(row?.pod_id), epoch: Number(row?.epoch) }
  }
  const taken = (roomId: string, from: { epoch: number }) =>
    waitUntil(async () => {
      const now = await epochOf(roomId)
      return now.epoch > from.epoch || `still epoch ${now.epoch} on ${now.podId}`
    })
  const lastSeqOf = async (roomId: string, epoch: number) => {
    const query = `select max(seq) as seq from room_actions where room_id = '${roomId}' and epoch <= ${epoch}`
    return Number((await readRows(world(), query))[0]?.seq)
  }
  const podNamed = (name: string): Server => {
    const pod = world().servers.find(({ env }) => env.POD_NAME === name)
    if (!pod) throw new Error(`there is no ${name}`)
    return pod
  }

  return {
    api,
    podNamed,
    epochOf,
    /** A running game whose room was created on this instance. */
    playOn: (pod: Server, pauseMs?: number) => play(createApi(pod.http), pauseMs),
    /** A running game whose room is on the instance that the router chose. */
    play: () => play(api),
  }

  async function play(maker: typeof api, pauseMs?: number) {
    const people = 4
    const researcher = await createResearcher(api, ['researcher', 'admin'])
    const experimentId = await researcher.openExperiment({ ...endlessGame, matching: { groupSize: people } })
    const joined = await Promise.all(
      Array.from({ length: people }, async () => await (await createPerson(api)).join(experimentId)),
    )
    const options = {
      token: researcher.token,
      params: { experimentId },
      body: { participantIds: joined.map(({ participantId }) => participantId) },
    }
    const { roomId } = succeeded(await maker.call(roomRoutes.create, options))
    const players = startPlayers(
      joined.map((session) => ({ ...session, roomId })),
      (session) => openRoomSocket(world().front().http, session),
      pauseMs,
    )
    await players.progress(3)
    return {
      roomId,
      experimentId,
      players,
      owner: async (): Promise<Server> => podNamed((await epochOf(roomId)).podId),
      /** Resolves when another instance has the room and has acknowledged an action. */
      async respondsElsewhere(from: { epoch: number }): Promise<void> {
        await taken(roomId, from)
        const lastSeq = await lastSeqOf(roomId, from.epoch)
        await waitUntil(
          () => players.acknowledged.some(({ seq }) => seq > lastSeq) || 'the room does not respond',
        )
      },
      /** Resolves when another instance has the room and the players make progress. */
      async moved(from: { epoch: number }): Promise<void> {
        await taken(roomId, from)
        await players.progress(3)
      },
      async finish(): Promise<void> {
        await players.progress(3)
        await players.stop()
        await expectNothingLost(world(), roomId, players)
      },
    }
  }
}
