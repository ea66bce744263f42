import type { MediaElementLike } from './media-element.ts'
import { measureStart } from './start-trial.ts'
import type { SteadyClock } from './steady-clock.ts'

export interface AutoplayDeps {
  element: MediaElementLike
  steady: SteadyClock
  /** What the browser says without a trial; undefined where it says nothing. */
  policy?: (() => 'allowed' | 'refused' | undefined) | undefined
  /** Whether the room plays: then what a trial has started goes on. */
  isRoomPlaying(): boolean
  onChange(isGestureNeeded: boolean): void
}

type Permission = 'unknown' | 'trying' | 'allowed' | 'refused'
export type Autoplay = ReturnType<typeof createAutoplay>

/**
 * Whether the browser lets the element play without a gesture. Found out before the room starts, by playing for a moment
 * without sound, so that whoever has to click does it in time.
 */
export function createAutoplay({ element, steady, policy, isRoomPlaying, onChange }: AutoplayDeps) {
  let permission: Permission = 'unknown'
  let isGestureNeeded: boolean | undefined

  function settle(news: 'allowed' | 'refused'): void {
    permission = news
    if (isGestureNeeded === (news === 'refused')) return
    isGestureNeeded = news === 'refused'
    onChange(isGestureNeeded)
  }

  /** Other rejections than for a missing gesture pass by themselves: a pause or another source came first. */
  async function play(): Promise<boolean> {
    try {
      await element.play()
      return true
    } catch (error) {
      if (error instanceof Error && error.name === 'NotAllowedError') settle('refused')
      else if (permission === 'trying') permission = 'unknown'
      return false
    }
  }

  async function start(): Promise<void> {
    if (await play()) settle('allowed')
  }

  /** Not allowed before it is over: that makes the player ready, and the room would start while the picture still moves. */
  async function playForAMoment(): Promise<number | undefined> {
    const { volume } = element
    permission = 'trying'
    element.volume = 0
    const measured = measureStart(element, steady)
    const isPlaying = await play()
    const startMs = isPlaying ? await measured : undefined
    if (isPlaying) settle('allowed')
    if (!isRoomPlaying()) element.pause()
    element.volume = volume
    return startMs
  }

  return {
    permission: (): Permission => permission,
    /** To be called while the room is not playing. */
    findOut(): void {
      if (permission !== 'unknown') return
      const known = policy?.()
      if (known) settle(known)
      else void playForAMoment()
    },
    /** Once it may play: how long starting takes. Undefined if it did not start. */
    rehearse: playForAMoment,
    start,
    /** Must be called in the handler of a click or key, where browsers allow it. */
    async allow(): Promise<void> {
      await start()
      if (!isRoomPlaying()) element.pause()
    },
  }
}
