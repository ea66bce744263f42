import { experimentRoutes, participantRoutes, roomRoutes, type WrittenDefinition } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  HandshakeRefused,
  openRoomSocket,
  openSyncSocket,
  type RoomSocket,
  type SocketSession,
  succeeded,
  type World,
} from '@atrium/testkit'

/** For tests of rooms. All members of a room connect to one instance, because only the router brings people to their instance. */
export function tableIn(world: () => World) {
  const server = () => {
    const [first] = world().servers
    if (!first) throw new Error('this world has no server')
    return first
  }
  const api = createApi(() => server().http)
  let researcher: ReturnType<typeof createResearcher> | undefined
  const lead = () => {
    researcher ??= createResearcher(api, ['researcher', 'admin'])
    return researcher
  }

  const table = {
    api,
    server,
    researcher: lead,
    open: async (definition: WrittenDefinition) => await (await lead()).openExperiment(definition),
    async join(experimentId: string, role?: string) {
      const person = await createPerson(api)
      const join = async () => await person.join(experimentId, role === undefined ? {} : { role })
      return { ...(await join()), token: person.token, joinAgain: join }
    },
    /** A group that has joined, in its own room, in seat order (P1, P2, …). */
    async seat(experimentId: string, people: number | string[]) {
      const roles = typeof people === 'number' ? Array.from({ length: people }, () => undefined) : people
      const joined = await Promise.all(roles.map((role) => table.join(experimentId, role)))
      const roomId = await table.seatByHand(
        experimentId,
        joined.map(({ participantId }) => participantId),
      )
      const aliases = new Map((await table.seats(roomId)).map((seat) => [seat.participantId, seat.alias]))
      const sessions = joined
        .map((one) => ({ ...one, roomId, alias: aliases.get(one.participantId) ?? '' }))
        .sort((a, b) => (a.alias < b.alias ? -1 : 1))
      return { roomId, sessions }
    },
    async seatByHand(experimentId: string, participantIds: string[]): Promise<string> {
      const { token } = await lead()
      const options = { token, params: { experimentId }, body: { participantIds } }
      return succeeded(await api.call(roomRoutes.create, options)).roomId
    },
    async revise(experimentId: string, definition: WrittenDefinition): Promise<void> {
      const { token } = await lead()
      succeeded(
        await api.call(experimentRoutes.revise, { token, params: { experimentId }, body: definition }),
      )
    },
    /** On whichever instance holds it. */
    async endRoom(roomId: string): Promise<void> {
      const { token } = await lead()
      const answers = await Promise.all(
        world().servers.map(async ({ http }) => {
          const options = { token, params: { roomId }, body: {} }
          return (await createApi(http).call(roomRoutes.end, options)).status
        }),
      )
      if (!answers.includes(200)) throw new Error(`nobody ended the room: ${answers.join()}`)
    },
    connect: (session: SocketSession) => openRoomSocket(server().http, session),
    synchronise: (session: SocketSession) => openSyncSocket(server().http, session),
    /** The code of a refused handshake. */
    async refusal(session: SocketSession, userAgent?: string): Promise<string> {
      try {
        const socket = await openRoomSocket(server().http, session, userAgent)
        socket.close()
        return 'connected'
      } catch (error) {
        if (error instanceof HandshakeRefused) return error.code
        throw error
      }
    },
    async revoke(sessionId: string, through = api): Promise<void> {
      const { token } = await lead()
      succeeded(await through.call(experimentRoutes.revokeSession, { token, params: { sessionId } }))
    },
    async complete(session: { sessionId: string }, completionCode: string) {
      const options = { session, body: { completionCode } }
      return succeeded(await api.call(participantRoutes.completeV4, options)).data
    },
    async report(roomId: string) {
      const { token } = await lead()
      return succeeded(await api.call(roomRoutes.state, { token, params: { roomId } }))
    },
    async seats(roomId: string) {
      const { token } = await lead()
      return succeeded(await api.call(roomRoutes.participants, { token, params: { roomId } })).participants
    },
    async pause(roomId: string): Promise<void> {
      const { token } = await lead()
      succeeded(await api.call(roomRoutes.pause, { token, params: { roomId }, body: {} }))
    },
    async resume(roomId: string): Promise<void> {
      const { token } = await lead()
      succeeded(await api.call(roomRoutes.resume, { token, params: { roomId } }))
    },
    async advance(roomId: string): Promise<void> {
      const { token } = await lead()
      succeeded(await api.call(roomRoutes.advance, { token, params: { roomId } }))
    },
    async monitor(experimentId: string) {
      const { token } = await lead()
      return succeeded(await api.call(experimentRoutes.monitor, { token, params: { experimentId } }))
    },
    exported: async (experimentId: string) => await (await lead()).exported(experimentId),
  }
  return table
}

/** The sequence number of an acknowledged action; throws if it was refused. */
export async function acknowledged(ack: ReturnType<RoomSocket['act']>): Promise<number> {
  const answer = await ack
  if (!answer.ok) throw new Error(`refused: ${answer.error.code} ${answer.error.message}`)
  return answer.seq
}

/** The code of a refused action. */
export async function refused(ack: ReturnType<RoomSocket['act']>): Promise<string> {
  const answer = await ack
  return answer.ok ? 'acknowledged' : answer.error.code
}
