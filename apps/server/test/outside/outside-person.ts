import { randomUUID } from 'node:crypto'
import { waitUntil } from '@atrium/testkit'
import { io, type Socket } from 'socket.io-client'

/** What a person did and was told, kept by themselves: what the exported files are compared with. */
interface OwnRecord {
  participantId: string
  roomId: string
  answers: {
    stateId: string
    componentId: string
    visit: number
    value: unknown
    sentAt: number
    paradata: Record<string, number>
  }[]
  devices: Record<string, string | number>[]
  messages: string[]
  states: string[]
  snapshots: string[]
}

interface StateView {
  id: string
  visit: number
  components: { id: string; type: string }[]
}
interface Snapshot {
  self: { alias: string; outcome: string | null }
  state: StateView | null
}

const agent = 'Mozilla/5.0 (X11; Linux x86_64) outside/1.0'

/** Plain requests: nothing of the project but its addresses. */
export async function ask(http: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'user-agent': agent, ...(init.body ? { 'content-type': 'application/json' } : {}) }
  const answer = await fetch(`${http}${path}`, { ...init, headers: { ...headers, ...init.headers } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

/** What the contract says that an answer has. */
export const bodyOf = async <Body>(answer: Response): Promise<Body> => (await answer.json()) as Body

interface Session {
  sessionId: string
  sessionToken: string
  participantId: string
}

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers,
})

export async function tokenOf(http: string, sub: string, roles: string[] = []): Promise<string> {
  return (await bodyOf<{ idToken: string }>(await ask(http, '/dev/identity/token', post({ sub, roles }))))
    .idToken
}

/** What their page counts: something else for each answer, and everything for the first. */
const measured = (nth: number): Record<string, number> => ({
  focusLostCount: nth,
  focusLostMs: nth * 1_000.5,
  ...(nth % 2 === 0 && { pasteCount: 1, pastedCharacters: 10 + nth }),
  keystrokes: 3 * nth,
  deletions: nth,
  ...(nth !== 1 && { keyIntervalMedianMs: 120.25, longestPauseMs: 900 }),
  networkDelayMs: 12.5 + nth,
})

/** A person with a clock of their own, who joins by a link, agrees, waits, and plays over a bare socket. */
export async function arrive(http: string, experimentId: string, name: string, clockAheadMs: number) {
  const idToken = await tokenOf(http, name)
  const join = { experimentId, role: 'participant', metadata: { PROLIFIC_PID: `pid-${name}` } }
  const joined = await ask(
    http,
    '/api/v4/participant/join',
    post(join, { authorization: `Bearer ${idToken}` }),
  )
  const { data: session } = await bodyOf<{ data: Session }>(joined)
  const own: OwnRecord = {
    participantId: session.participantId,
    roomId: '',
    answers: [],
    devices: [],
    messages: [],
    states: [],
    snapshots: [],
  }
  const now = (): number => Date.now() + clockAheadMs
  const withSession = (body: unknown): RequestInit => post(body, { 'x-session-id': session.sessionId })

  let room: Socket | undefined
  let snapshot: Snapshot | undefined

  const socketTo = (http: string, namespace: string, query: Record<string, string> = {}): Socket =>
    io(`${http}${namespace}`, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      query,
      auth: { sessionId: session.sessionId, sessionToken: session.sessionToken },
      extraHeaders: { 'user-agent': agent },
    })

  async function act(action: string, payload: Record<string, unknown>): Promise<void> {
    const ack = await room?.timeout(240_000).emitWithAck(action, { actionId: randomUUID(), ...payload })
    if (!ack?.ok) throw new Error(`${name} ${action}: ${JSON.stringify(ack)}`)
  }

  return {
    own,
    state: () => snapshot?.state ?? null,
    alias: () => snapshot?.self.alias ?? '',
    async consent(): Promise<void> {
      const events = [{ type: 'consent_given', timestamp: now(), data: {} }]
      await ask(http, '/api/v4/participant/events', withSession({ events }))
    },
    /** The device that they hold; the page sends this once it is loaded. */
    async report(data: Record<string, string | number>): Promise<void> {
      const events = [{ type: 'device_report', timestamp: now(), data }]
      await ask(http, '/api/v4/participant/events', withSession({ events }))
      own.devices.push(data)
    },
    async decline(): Promise<void> {
      const events = [{ type: 'consent_declined', timestamp: now(), data: {} }]
      await ask(http, '/api/v4/participant/events', withSession({ events }))
      await ask(http, '/api/v4/participant/complete', withSession({ completionCode: 'NO_CONSENT' }))
    },
    async waitForRoom(): Promise<void> {
      const waiting = socketTo(http, '/waiting')
      own.roomId = await new Promise<string>((resolve, reject) => {
        waiting.once('room_assigned', ({ roomId }) => resolve(roomId))
        waiting.once('connect_error', reject)
        waiting.once('waiting_ended', (why) => reject(new Error(JSON.stringify(why))))
      })
      waiting.close()
    },
    async enter(): Promise<void> {
      room = socketTo(http, '/experiment', { roomId: own.roomId })
      room.onAny((_event, payload) => void own.snapshots.push(JSON.stringify(payload)))
      room.on('room_snapshot', (whole: Snapshot) => {
        snapshot = whole
        noteState()
      })
      room.on('room_event', (event: { type: string; state?: StateView; outcome?: string }) => {
        if (!snapshot) return
        if (event.type === 'state_entered' && event.state) snapshot = { ...snapshot, state: event.state }
        if (event.type === 'finished' && event.outcome)
          snapshot = { ...snapshot, self: { ...snapshot.self, outcome: event.outcome } }
        noteState()
      })
      await waitUntil(() => snapshot !== undefined || `${name} has no snapshot yet`)
    },
    async inState(stateId: string): Promise<void> {
      await waitUntil(
        () => snapshot?.state?.id === stateId || `${name} is in ${snapshot?.state?.id}, not ${stateId}`,
      )
    },
    async finished(): Promise<void> {
      await waitUntil(
        () => (snapshot?.self.outcome ?? null) !== null || `${name} is in ${snapshot?.state?.id}`,
      )
    },
    async answer(componentId: string, value: unknown): Promise<void> {
      const state = snapshot?.state
      if (!state) throw new Error(`${name} is in no state`)
      const sentAt = now()
      const paradata = measured(own.answers.length)
      await act('submit_response', {
        componentId,
        value,
        paradata,
        clientTime: sentAt,
        stateId: state.id,
        visit: state.visit,
      })
      own.answers.push({ stateId: state.id, componentId, visit: state.visit, value, sentAt, paradata })
    },
    async say(text: string): Promise<void> {
      await act('send_message', { text })
      own.messages.push(text)
    },
    ready: () => act('ready', {}),
    vanish: () => void room?.close(),
    async complete(): Promise<{ completionCode: string }> {
      const answer = await ask(
        http,
        '/api/v4/participant/complete',
        withSession({
          completionCode: 'SUCCESS',
          finalState: 'end',
          summary: { totalEvents: 0, duration: 1 },
        }),
      )
      room?.close()
      return (await bodyOf<{ data: { completionCode: string } }>(answer)).data
    },
  }

  function noteState(): void {
    const id = snapshot?.state?.id
    if (id !== undefined && own.states.at(-1) !== id) own.states.push(id)
  }
}
export type OutsidePerson = Awaited<ReturnType<typeof arrive>>
