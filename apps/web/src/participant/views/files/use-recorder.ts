import { useEffect, useRef, useState } from 'react'

/** What the microphone does, and what came of it. */
export type Recording =
  | { kind: 'none' }
  | { kind: 'asking' }
  /** Refused by the person or their system, not there, or not available to a page without https. */
  | { kind: 'unavailable'; because: 'refused' | 'missing' | 'unsupported' }
  | { kind: 'recording'; startedAt: number }
  | { kind: 'recorded'; sound: Blob; address: string; durationMs: number }

/** In the order in which we prefer them; each browser can record at least one. */
const types = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']

export function useRecorder(maxMs: number) {
  const [recording, setRecording] = useState<Recording>({ kind: 'none' })
  const recorder = useRef<MediaRecorder | null>(null)
  const stop = () => {
    if (recorder.current?.state === 'recording') recorder.current.stop()
  }

  async function start(): Promise<void> {
    if (typeof MediaRecorder === 'undefined' || !navigator.mediaDevices)
      return setRecording({ kind: 'unavailable', because: 'unsupported' })
    setRecording({ kind: 'asking' })
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type))
      const made = new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType })
      recorder.current = made
      const pieces: Blob[] = []
      const startedAt = performance.now()
      made.addEventListener('dataavailable', ({ data }) => pieces.push(data))
      made.addEventListener('stop', () => {
        // The browser shows that a page listens for as long as this is open.
        for (const track of stream.getTracks()) track.stop()
        const sound = new Blob(pieces, { type: made.mimeType })
        const durationMs = Math.round(Math.min(performance.now() - startedAt, maxMs + 1_000))
        setRecording({ kind: 'recorded', sound, address: URL.createObjectURL(sound), durationMs })
      })
      made.start()
      setRecording({ kind: 'recording', startedAt })
    } catch (error) {
      const isMissing = error instanceof DOMException && error.name === 'NotFoundError'
      setRecording({ kind: 'unavailable', because: isMissing ? 'missing' : 'refused' })
    }
  }

  const isRecording = recording.kind === 'recording'
  useEffect(() => {
    if (!isRecording) return
    const timer = setTimeout(stop, maxMs)
    return () => clearTimeout(timer)
  }, [isRecording, maxMs])
  const address = recording.kind === 'recorded' ? recording.address : null
  useEffect(() => (address === null ? undefined : () => URL.revokeObjectURL(address)), [address])
  // When the page goes on, nobody is listening any more.
  useEffect(() => stop, [])

  return { recording, start, stop }
}
