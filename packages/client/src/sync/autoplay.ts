import type { MediaElementLike } from './media-element.ts'

export interface AutoplayDeps {
  element: MediaElementLike
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
export function createAutoplay({ element, policy, isRoomPlaying, onChange }: AutoplayDeps) {
  let permission: Permission = 'unknown'

  function settle(news: Permission): void {
    if (permission === news) return
    permission = news
    onChange(news === 'refused')
  }

  /** Other rejections than for a missing gesture pass by themselves: a pause or another source came first. */
  async function play(): Promise<void> {
    try {
      await element.play()
      settle('allowed')
    } catch (error) {
      if (error instanceof Error && error.name === 'NotAllowedError') settle('refused')
      else if (permission === 'trying') permission = 'unknown'
    }
  }

  async function playForAMoment(): Promise<void> {
    const { volume } = element
    permission = 'trying'
    element.volume = 0
    await play()
    if (!isRoomPlaying()) element.pause()
    element.volume = volume
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
    start: play,
    /** Must be called in the handler of a click or key, where browsers allow it. */
    async allow(): Promise<void> {
      await play()
      if (!isRoomPlaying()) element.pause()
    },
  }
}
