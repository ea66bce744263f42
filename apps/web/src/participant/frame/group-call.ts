import { createContext } from 'react'
import { texts } from '../../text/participant.ts'

/** Two notes, a fifth apart. */
const notes = [
  { hertz: 523.25, afterS: 0 },
  { hertz: 783.99, afterS: 0.18 },
]

/** How somebody who waits hears that the group has formed. */
export interface GroupCall {
  isPrepared(): boolean
  /** On a click of the person who waits: allows the sound, and asks for permission to show a message. */
  prepare(): void
  /** The group has formed: the tab says so until somebody looks at it, and those who asked for it are called. */
  ring(): void
}

export function createGroupCall(): GroupCall {
  let audio: AudioContext | undefined
  return {
    isPrepared: () => audio !== undefined,
    prepare() {
      // Made during a click, and kept: a browser lets only such a context sound later.
      audio = new AudioContext()
      void audio.resume().catch(() => undefined)
      if ('Notification' in window && Notification.permission === 'default')
        void Notification.requestPermission().catch(() => undefined)
    },
    ring() {
      const { started, startedMessage } = texts().frame.waitingRoom
      const isLookedAt = document.visibilityState === 'visible'
      if (!isLookedAt) signalInTitle(started)
      if (audio === undefined) return
      playNotes(audio)
      if (!isLookedAt) showMessage(started, startedMessage)
    },
  }
}

export const GroupCallContext = createContext<GroupCall | null>(null)

function signalInTitle(message: string): void {
  const before = document.title
  const signal = `● ${message} · ${before}`
  document.title = signal
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.title === signal) document.title = before
    },
    { once: true },
  )
}

function playNotes(audio: AudioContext): void {
  for (const { hertz, afterS } of notes) {
    const [note, volume] = [audio.createOscillator(), audio.createGain()]
    const at = audio.currentTime + afterS
    note.frequency.value = hertz
    volume.gain.setValueAtTime(0.0001, at)
    volume.gain.exponentialRampToValueAtTime(0.25, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.9)
    note.connect(volume).connect(audio.destination)
    note.start(at)
    note.stop(at + 1)
  }
}

function showMessage(title: string, body: string): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    const shown = new Notification(title, { body, icon: '/icon.svg', tag: 'atrium-group' })
    shown.onclick = () => {
      window.focus()
      shown.close()
    }
  } catch {
    // Phones allow messages only from a service worker; the sound and the title remain.
  }
}
