import type { ErrorCode, PlaybackState, SyncActionName } from '@atrium/contract'
import { syncActions } from '@atrium/contract'
import type { FakePlatform } from './fake-platform.ts'
import { openFakeNamespace, openFakeSockets } from './fake-sockets.ts'

interface ReceivedSync {
  name: SyncActionName
  payload: { actionId: string } & Record<string, unknown>
}

/** What the room does with the next action, instead of acknowledging it. */
type SyncMishap = 'drop_reply' | 'silence' | { code: ErrorCode }

/** `/sync` on the same server as the fake platform: its clock is an hour ahead. */
export function startFakeSync(platform: FakePlatform, sockets = openFakeSockets(platform)) {
  const { namespace, ...fake } = openFakeNamespace(platform, sockets, '/sync')
  const received: ReceivedSync[] = []
  const mishaps: SyncMishap[] = []
  const states: PlaybackState[] = []
  let pings = 0
  let answersPings = true

  namespace.on('connection', (connected) => {
    for (const state of states) connected.emit('playback_state', state)
    connected.on('clock_ping', ({ t0 }: { t0: number }, reply: (pong: object) => void) => {
      pings++
      const t1 = t0 + 3_600_000
      if (answersPings) reply({ t0, t1, t2: t1 })
    })
    for (const name of Object.keys(syncActions) as SyncActionName[])
      connected.on(name, (payload: ReceivedSync['payload'], reply: (ack: object) => void) => {
        received.push({ name, payload })
        const mishap = mishaps.shift()
        if (mishap === 'silence') return
        if (mishap === 'drop_reply') return void fake.cutConnection()
        if (mishap) return void reply({ ok: false, error: { code: mishap.code, message: mishap.code } })
        reply({ ok: true, seq: received.length })
      })
  })

  return {
    ...fake,
    received,
    mishaps,
    /** Sent to everyone who connects from now on. */
    states,
    pings: (): number => pings,
    answerPings(answers: boolean): void {
      answersPings = answers
    },
    say: (state: PlaybackState) => fake.emitRaw('playback_state', state),
  }
}
