import type { ExperimentDefinition, RoomSnapshot } from '@atrium/contract'
import { pace, type RoomSocket, waitUntil } from '@atrium/testkit'
import { onTestFinished } from 'vitest'
import type { tableIn } from './table.ts'

/** Short rounds and a chat: something is always being sent, and a deadline is always running. */
export const endlessGame: ExperimentDefinition = {
  name: 'Endless public goods',
  states: [
    {
      id: 'contribute',
      components: [{ id: 'contribution', type: 'slider', saveTo: 'given' }],
      end: { on: 'all_responded', afterMs: 400 },
      onEnter: { given: '0' },
      onEnd: { pot: 'sum(responses.contribution)', points: 'points + 20 - given + pot * 1.6 / 4' },
    },
    { id: 'feedback', components: [], end: { on: 'timed', afterMs: 200 } },
  ],
  blocks: [{ id: 'rounds', states: ['contribute', 'feedback'], rounds: 5_000 }],
  globalComponents: [{ id: 'chat', type: 'chat' }],
  variables: {
    pot: 0,
    given: { scope: 'participant', initial: 0 },
    points: { scope: 'participant', initial: 0 },
  },
  matching: { groupSize: 4 },
  dropout: { policy: 'wait', graceMs: 30_000 },
}

/** Nothing was stored and the action may be retried: the room is moving, or its database is unavailable. */
const passing = ['ROOM_ELSEWHERE', 'UNAVAILABLE']

/** Long enough to stay below the server's rate limit. */
const usualPauseMs = 50

interface Acknowledged {
  participantId: string
  actionId: string
  seq: number
}

interface Seated {
  sessionId: string
  sessionToken: string
  roomId: string
  participantId: string
}

/** People who act constantly and retry what was not acknowledged, as the contract requires. */
export function startPlayers(
  sessions: readonly Seated[],
  connect: ReturnType<typeof tableIn>['connect'],
  pauseMs = usualPauseMs,
) {
  const acknowledged: Acknowledged[] = []
  /** A participant id for each action not acknowledged or connection refused. */
  const setbacks: string[] = []
  const faults: string[] = []
  const open = new Set<RoomSocket>()
  let connections = 0
  let isStopping = false

  async function play({ participantId, ...session }: Seated): Promise<void> {
    let said = 0
    let lastSeq = 0
    let lastVisit = 0
    const contributed = new Set<number>()

    /** A snapshot on return must contain at least what was acknowledged. */
    function check(snapshot: RoomSnapshot): void {
      const visit = snapshot.state?.visit ?? 0
      if (snapshot.status !== 'running') faults.push(`the room is ${snapshot.status}`)
      if (snapshot.seq < lastSeq) faults.push(`${snapshot.seq} after ${lastSeq} was acknowledged`)
      if (visit < lastVisit) faults.push(`visit ${visit} after ${lastVisit}`)
      if (visit === lastVisit && contributed.has(visit) && !('contribution' in snapshot.self.responses))
        faults.push(`the response of visit ${visit} is gone`)
      const own = snapshot.messages
        .filter(({ from }) => from === snapshot.self.alias)
        .map(({ text }) => Number(text))
      // Only the newest 200 messages are kept.
      if (said > 0 && snapshot.messages.length < 200 && !own.includes(said - 1))
        faults.push(`message ${said - 1} is gone: ${own.slice(-3).join()}`)
    }

    async function act(
      socket: RoomSocket,
      name: 'send_message' | 'submit_response',
      payload: { actionId: string },
    ) {
      // On a closed socket an action would wait forever for a connection.
      if (!socket.isConnected()) return undefined
      const answer = await socket.act(name, { ...payload }).catch(() => undefined)
      if (answer?.ok) {
        const { actionId } = payload
        acknowledged.push({ participantId, actionId, seq: answer.seq })
        lastSeq = Math.max(lastSeq, answer.seq)
      } else setbacks.push(participantId)
      return answer
    }

    while (!isStopping) {
      const socket = await connect(session).catch(() => undefined)
      if (!socket) {
        setbacks.push(participantId)
        await pace(pauseMs)
        continue
      }
      connections++
      open.add(socket)
      check(socket.snapshot())
      while (!isStopping && socket.isConnected()) {
        const state = newestState(socket)
        lastVisit = Math.max(lastVisit, state?.visit ?? 0)
        if (state?.id === 'contribute' && !contributed.has(state.visit)) {
          const actionId = `contribution-${state.visit}`
          const response = { actionId, stateId: state.id, componentId: 'contribution', value: said % 100 }
          if ((await act(socket, 'submit_response', response))?.ok) contributed.add(state.visit)
        }
        const message = { actionId: `message-${said}`, text: String(said) }
        const answer = await act(socket, 'send_message', message)
        if (answer?.ok) said++
        else if (answer && !passing.includes(answer.error.code))
          faults.push(`a message was refused: ${answer.error.code}`)
        await pace(pauseMs)
      }
      socket.close()
      open.delete(socket)
    }
  }

  const players = sessions.map(play)
  onTestFinished(() => {
    isStopping = true
  })

  /** Resolves when every player has this many more entries. */
  async function untilMore(entries: () => readonly string[], count: number): Promise<void> {
    const from = entries().length
    await waitUntil(() => {
      const since = entries().slice(from)
      const counts = sessions.map(({ participantId }) => since.filter((id) => id === participantId).length)
      return counts.every((entered) => entered >= count) || `${counts.join()} of ${count}`
    })
  }

  return {
    acknowledged,
    faults,
    connections: () => connections,
    /** Everybody loses their connection and comes back. */
    breakConnections(): void {
      for (const socket of open) socket.close()
    },
    /** Resolves when every player has this many more actions acknowledged. */
    progress: (actions: number) =>
      untilMore(() => acknowledged.map(({ participantId }) => participantId), actions),
    /** Resolves when every player has failed once more, so that nothing sent earlier is still in progress. */
    setBack: () => untilMore(() => setbacks, 1),
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all(players)
    },
  }
}

function newestState(socket: RoomSocket) {
  const entered = socket.events.flatMap((event) => (event.type === 'state_entered' ? [event.state] : []))
  return entered.at(-1) ?? socket.snapshot().state
}
