import type { Sync } from './connect-sync.ts'
import { unknownDevice } from './correction.ts'
import { createPlayback, type Playback, type PlaybackDeps } from './playback.ts'

export type InStepOptions = Pick<PlaybackDeps, 'element' | 'onGesture' | 'onEnded' | 'autoplayPolicy'>

const thisDevice = unknownDevice()

/** Lets an element follow the room's playback of a component, until `close`. */
export function playInStep(sync: Sync, componentId: string, options: InStepOptions): Playback {
  const playback = createPlayback({
    ...options,
    clock: sync.clock,
    steady: sync.steady,
    device: thisDevice,
    // A refusal means that the room has moved on, or that the connection has ended: there is nobody left to tell.
    tellBuffer: (status) => void sync.buffer(componentId, status).catch(() => undefined),
    report: (report) => void sync.report(componentId, report).catch(() => undefined),
  })
  let followed = sync.playback(componentId)
  let wasConnected = sync.status.kind === 'connected'
  if (followed) playback.follow(followed)
  const unsubscribe = sync.subscribe(() => {
    const isConnected = sync.status.kind === 'connected'
    if (isConnected && !wasConnected) playback.reconnected()
    wasConnected = isConnected
    const state = sync.playback(componentId)
    if (!state || state === followed) return
    followed = state
    playback.follow(state)
  })
  return {
    ...playback,
    close() {
      unsubscribe()
      playback.close()
    },
  }
}
