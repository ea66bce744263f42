import type { RoomAssigned, WaitingEnded, WaitingStatus } from '@atrium/contract'
import { openCheckedSocket, type SocketSession } from './checked-socket.ts'
import { waitUntil } from './wait.ts'

/** A machine busy with other tests takes a while to create fifty rooms. */
const patient = { timeoutMs: 240_000 }

interface Messages {
  waiting_status: WaitingStatus
  room_assigned: RoomAssigned
  waiting_ended: WaitingEnded
}

export type WaitingSocket = ReturnType<typeof openWaitingSocket>

/** A bare socket in the waiting room. */
export function openWaitingSocket(
  address: string,
  session: Pick<SocketSession, 'sessionId' | 'sessionToken'>,
) {
  const received: { [Name in keyof Messages]: Messages[Name][] } = {
    waiting_status: [],
    room_assigned: [],
    waiting_ended: [],
  }
  let refusal: string | undefined
  let lost: string | undefined
  const { socket, refuseFaults } = openCheckedSocket(address, { path: '/waiting', session })
  for (const name of Object.keys(received) as (keyof Messages)[])
    socket.on(name as string, (payload) => {
      received[name].push(payload)
    })
  socket.on('connect_error', (error: Error & { data?: { code?: string } }) => {
    refusal = error.data?.code ?? error.message
    lost ??= `refused ${refusal}`
  })

  for (const name of ['replaced', 'session_ended', 'disconnect'])
    socket.on(name, (reason?: unknown) => {
      lost ??= `${name} ${JSON.stringify(reason)}`
    })

  /** The first message of this name since the start that fits; waits for it if necessary. */
  async function message<Name extends keyof Messages>(
    name: Name,
    fits: (payload: Messages[Name]) => boolean = () => true,
  ): Promise<Messages[Name]> {
    await waitUntil(
      () =>
        refusal !== undefined ||
        received[name].some(fits) ||
        `no such ${name}; statuses ${JSON.stringify(received.waiting_status.at(-1))}, ended ${JSON.stringify(received.waiting_ended)}, connection ${lost ?? 'open'}`,
      patient,
    )
    refuseFaults()
    const found = received[name].find(fits)
    if (found === undefined) throw new Error(`the handshake was refused: ${refusal}`)
    return found
  }

  return {
    received,
    /** How the connection ended, or why there never was one. */
    lost: (): string | undefined => lost,
    status: (fits?: (status: WaitingStatus) => boolean) => message('waiting_status', fits),
    assigned: () => message('room_assigned'),
    ended: () => message('waiting_ended'),
    leave: (): Promise<unknown> => socket.timeout(240_000).emitWithAck('leave_waiting', {}),
    close: (): void => void socket.close(),
  }
}
