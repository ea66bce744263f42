import { type ExperimentDefinition, type RoomActionName, roomActions } from '@atrium/contract'
import {
  createPerson,
  createResearcher,
  describeInOneMode,
  isLongRun,
  type RoomSocket,
  type SocketSession,
  startProlificServer,
} from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { type HostileSocket, openHostileSocket } from './hostile-socket.ts'
import { oddJson, withRaw } from './odd-json.ts'
import { type OddRequest, oddRequests } from './odd-requests.ts'

const rooms = isLongRun ? 40 : 10
const peoplePerRoom = 3
const hostileRooms = 6
/** Enough that all requests get through, although each person's rate is limited. */
const hostilePeople = 24
const requestsAtOnce = 24

/** It refuses every token that is made up, as the real one does. */
const prolific = await startProlificServer()
afterAll(() => prolific.stop())

const talk: ExperimentDefinition = {
  name: 'A talk',
  states: [
    {
      id: 'talk',
      components: [
        { id: 'chat', type: 'chat' },
        { id: 'note', type: 'text_input' },
      ],
    },
  ],
  matching: { groupSize: peoplePerRoom },
  dropout: { policy: 'wait', graceMs: 600_000 },
}

const usualPayloads: Record<RoomActionName, Record<string, unknown>> = {
  submit_response: { actionId: 'a', componentId: 'note', value: 'x', stateId: 'talk', visit: 1 },
  send_message: { actionId: 'a', text: 'x', componentId: 'chat' },
  ready: { actionId: 'a', stateId: 'talk', visit: 1 },
  cannot_answer: { actionId: 'a', componentId: 'note', reason: 'not_loaded', stateId: 'talk', visit: 1 },
  leave: { actionId: 'a', reason: 'x' },
}

describeInOneMode(
  '[R40] rooms chat while one client sends hostile input',
  (world) => {
    const table = tableIn(world)
    let crowd: Talk[] = []

    beforeAll(async () => {
      const experimentId = await table.open(talk)
      crowd = await seatRooms(experimentId, rooms, async ({ roomId, sessions }) =>
        createTalk(roomId, await Promise.all(sessions.map(table.connect))),
      )
    })
    afterAll(() => {
      for (const { sockets } of crowd) for (const socket of sockets) socket.close()
    })

    /** One person per room sends a message while the hostile client acts, and all are acknowledged. */
    const everyRoomChats = async () => await Promise.all(crowd.map((one) => one.sayNext()))

    const expectAllMessagesReceived = async () => {
      for (const one of crowd) await one.expectAllMessagesReceived()
    }

    test('in every property of every action: no other room loses a socket or an acknowledgement', async () => {
      const experimentId = await table.open(talk)
      const seats = await seatRooms(experimentId, hostileRooms, async ({ sessions }) => sessions)
      const hostile = seats.flat().map((session) => hostileIn(session))
      const queue = oddActions()
      const answers: string[] = []
      while (queue.length > 0) {
        const round = queue.splice(0, hostile.length)
        const [answered] = await Promise.all([
          Promise.all(round.map((action, at) => hostile[at]?.(action) ?? 'nobody')),
          everyRoomChats(),
        ])
        answered.forEach((answer, at) => {
          if (answer === 'RATE_LIMITED') queue.push(...round.slice(at, at + 1))
          else answers.push(answer)
        })
      }
      await expectAllMessagesReceived()
      // Some hostile actions must get through, or the test proves nothing; none may cause a defect.
      expect(answers).toContain('VALIDATION_FAILED')
      expect(answers).toContain('ok')
      expect(answers).not.toContain('INTERNAL')
    })

    test('on every route: never a server error, and no other room loses a socket or an acknowledgement', async () => {
      const { requests, credentials } = await hostileRequests()
      const statuses = new Map<number, number>()
      // Those to one route lie far apart: of some, one person may not have many under way (exports).
      const rounds = Math.ceil(requests.length / requestsAtOnce)
      for (let turn = 0; turn < rounds; turn++) {
        const round = requests.filter((_, at) => at % rounds === turn)
        const [answered] = await Promise.all([
          Promise.all(round.map((request, at) => send(request, credentials[at % credentials.length]))),
          everyRoomChats(),
        ])
        for (const status of answered) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      await expectAllMessagesReceived()
      expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 404]))
    })

    /** Sequentially: the test begins when everyone is seated. */
    async function seatRooms<Seated>(
      experimentId: string,
      count: number,
      enter: (room: Awaited<ReturnType<typeof table.seat>>) => Promise<Seated>,
    ): Promise<Seated[]> {
      const seated: Seated[] = []
      for (let room = 0; room < count; room++)
        seated.push(await enter(await table.seat(experimentId, peoplePerRoom)))
      return seated
    }

    /** Acts for one seat, on a new connection if the last one was closed. */
    function hostileIn(session: SocketSession): (action: OddAction) => Promise<string> {
      let socket: HostileSocket | undefined
      return async ({ name, payload }) => {
        if (!socket?.isOpen())
          socket = await openHostileSocket(table.server().http, session).catch(() => undefined)
        const ack = await socket?.act(name, payload)
        if (ack === undefined) return 'cut off'
        return ack.ok ? 'ok' : ack.error.code
      }
    }

    async function hostileRequests() {
      const researcher = await createResearcher(table.api)
      const experimentId = await researcher.openExperiment(talk)
      const credentials: (Credentials & { participantId: string })[] = []
      for (let count = 0; count < hostilePeople; count++) {
        const person = await createPerson(table.api)
        const session = await person.join(experimentId)
        credentials.push({ person: person.token, researcher: researcher.token, ...session })
      }
      const [first] = credentials
      if (!first) throw new Error('nobody joined')
      const seated = await table.seat(experimentId, peoplePerRoom)
      const ids = { experimentId, roomId: seated.roomId, participantId: first.participantId }
      return { credentials, requests: oddRequests({ ...ids, sessionId: `sess_${'A'.repeat(43)}` }) }
    }

    async function send({ route, path, body }: OddRequest, as?: Credentials): Promise<number> {
      const token = route.auth === 'id_token' ? as?.person : as?.researcher
      const response = await fetch(world().any().http + path, {
        method: route.method,
        headers: {
          'user-agent': 'atrium-test/1.0',
          authorization: `Bearer ${token}`,
          ...(route.auth === 'session' && as ? { 'x-session-id': as.sessionId } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
      })
      const text = await response.text()
      if (response.status >= 500) console.error(route.method, path, body?.slice(0, 300), text.slice(0, 300))
      return response.status
    }
  },
  { env: { MAX_ROOMS_PER_POD: '200', MAX_PARTICIPANTS_PER_POD: '600', PROLIFIC_API_URL: prolific.baseUrl } },
)

interface Credentials {
  person: string
  researcher: string
  sessionId: string
}

interface OddAction {
  name: RoomActionName
  payload: string
}

/** Leaving comes last, because nothing can be done after it. */
function oddActions(): OddAction[] {
  let count = 0
  return (Object.keys(usualPayloads) as RoomActionName[]).flatMap((name) => {
    const properties = [...Object.keys(roomActions[name].properties), 'unheardOf']
    return properties.flatMap((property) =>
      Object.values(oddJson).map((raw) => {
        const usual = { ...usualPayloads[name], actionId: `odd-${count++}` }
        return { name, payload: withRaw(usual, property, raw) }
      }),
    )
  })
}

type Talk = ReturnType<typeof createTalk>

/** A room whose members send messages in turn. */
function createTalk(roomId: string, sockets: RoomSocket[]) {
  let said = 0
  return {
    roomId,
    sockets,
    async sayNext(): Promise<void> {
      const speaker = sockets[said % sockets.length]
      if (!speaker?.isConnected()) throw new Error(`somebody in ${roomId} was cut off`)
      await acknowledged(speaker.act('send_message', { text: `message ${said++}`, componentId: 'chat' }))
    },
    async expectAllMessagesReceived(): Promise<void> {
      for (const socket of sockets) {
        expect(socket.isConnected()).toBe(true)
        await socket.event('message', ({ message }) => message.text === `message ${said - 1}`)
        const heard = socket.events.flatMap((event) => (event.type === 'message' ? [event.message.text] : []))
        expect(heard).toEqual(Array.from({ length: said }, (_, number) => `message ${number}`))
      }
    },
  }
}
