import { playInStep, type Sync } from '@atrium/client'
import type { PlaybackState } from '@atrium/contract'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { mayPlayInStep } from '../../media/media-ahead.ts'
import type { ViewProps } from '../view.ts'

export type InStep =
  /** Plays by itself. */
  | { kind: 'alone' }
  /** The room will probably say how it plays. */
  | { kind: 'awaited' }
  | {
      kind: 'in_step'
      state: PlaybackState
      sync: Sync
      /** The browser wants a click before it plays; `allow` is for its handler. */
      isGestureNeeded: boolean
      allow(): void
      positionMs: (() => number) | undefined
    }

type Following = ReturnType<typeof playInStep>

/** The room says how a medium plays as soon as it shows it. After this long it will not, and waiting would be worse. */
const patienceMs = { connected: 3_000, otherwise: 10_000 }

const notAtAll = () => () => undefined

/** Lets the element follow the room where the medium plays in step (R27). */
export function useInStep(element: HTMLMediaElement | null, props: ViewProps, onEnded: () => void): InStep {
  const { component, scene, recorded } = props
  const { id } = component
  const [wasOver] = useState(recorded !== undefined)
  const sync = useSyncExternalStore(scene.media.subscribe, scene.media.sync)
  const isConnected = useSyncExternalStore(
    sync?.subscribe ?? notAtAll,
    () => sync?.status.kind === 'connected',
  )
  const said = useSyncExternalStore(sync?.subscribe ?? notAtAll, () => sync?.playback(id))
  const state = !wasOver && said && said.atServerTime >= scene.shownSince(id) ? said : undefined
  const following = useFollowing(element, state && sync, id, onEnded)
  const isExpected = !wasOver && sync !== undefined && mayPlayInStep(component, scene.otherCount)
  const isGivenUp = useGivenUp(isConnected, sync)
  if (state && sync)
    return {
      kind: 'in_step',
      state,
      sync,
      isGestureNeeded: following.isGestureNeeded,
      allow: () => void following.playback?.allow(),
      positionMs: following.playback?.positionMs,
    }
  return { kind: isExpected && !isGivenUp ? 'awaited' : 'alone' }
}

function useFollowing(
  element: HTMLMediaElement | null,
  sync: Sync | undefined,
  componentId: string,
  onEnded: () => void,
) {
  const [playback, setPlayback] = useState<Following>()
  const [isGestureNeeded, setIsGestureNeeded] = useState(false)
  const end = useEffectEvent(onEnded)
  useEffect(() => {
    if (!element || !sync) return
    const following = playInStep(sync, componentId, {
      element,
      onGesture: setIsGestureNeeded,
      onEnded: () => end(),
      autoplayPolicy: () => autoplayPolicyFor(element),
    })
    setPlayback(following)
    // Timers are throttled in a hidden tab.
    document.addEventListener('visibilitychange', following.look)
    return () => {
      document.removeEventListener('visibilitychange', following.look)
      following.close()
      setPlayback(undefined)
      setIsGestureNeeded(false)
    }
  }, [element, sync, componentId])
  return { playback, isGestureNeeded }
}

/** Whether nothing has been heard for so long that the medium should play by itself. */
function useGivenUp(isConnected: boolean, sync: Sync | undefined): boolean {
  const [isGivenUp, setIsGivenUp] = useState(false)
  const hasFailed = useSyncExternalStore(sync?.subscribe ?? notAtAll, () => isOver(sync))
  useEffect(() => {
    const timer = setTimeout(
      () => setIsGivenUp(true),
      isConnected ? patienceMs.connected : patienceMs.otherwise,
    )
    return () => clearTimeout(timer)
  }, [isConnected])
  return isGivenUp || hasFailed
}

const isOver = (sync: Sync | undefined): boolean =>
  sync !== undefined && ['replaced', 'failed', 'closed'].includes(sync.status.kind)

interface PolicyNavigator {
  getAutoplayPolicy?(element: HTMLMediaElement): 'allowed' | 'allowed-muted' | 'disallowed'
}

/** Only Firefox says it; others have to be tried. */
function autoplayPolicyFor(element: HTMLMediaElement): 'allowed' | 'refused' | undefined {
  const policy = (navigator as PolicyNavigator).getAutoplayPolicy?.(element)
  return policy === undefined ? undefined : policy === 'allowed' ? 'allowed' : 'refused'
}
