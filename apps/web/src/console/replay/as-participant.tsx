import type { RoomAtMoment } from '@atrium/contract'
import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { isOfKind, type ReplayedScene, readyForReplay, replayAddress } from '../../api/replayed-scene.ts'
import { texts } from '../../text/console.ts'

interface AsParticipantProps {
  room: RoomAtMoment
  alias: string
}

/** The participants’ own page in a frame, with what this participant had before them. */
export function AsParticipant({ room, alias }: AsParticipantProps) {
  const text = texts().replay
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const { view, number, study } = room
  const isShown = view !== null && view.state !== null
  useEffect(() => {
    function receive({ origin, source, data }: MessageEvent): void {
      if (origin !== location.origin || source !== frame.current?.contentWindow) return
      if (isOfKind(data, readyForReplay.kind)) setReady(true)
    }
    addEventListener('message', receive)
    return () => removeEventListener('message', receive)
  }, [])
  useEffect(() => {
    if (!isReady || !isShown) return
    const scene: ReplayedScene = { kind: 'atrium-replay', number, view, study }
    frame.current?.contentWindow?.postMessage(scene, location.origin)
  }, [isReady, isShown, number, view, study])
  return (
    <div>
      {!isShown && (
        <Text c="dimmed" className="replay-nothing">
          {view === null
            ? text.noView(alias)
            : view.self.outcome === null
              ? text.nothingShown(alias)
              : text.finished(alias, view.self.outcome)}
        </Text>
      )}
      {/* Kept while nothing is shown, so that it need not load again. */}
      <iframe
        ref={frame}
        className="replay-frame"
        hidden={!isShown}
        src={replayAddress}
        title={text.frame(alias)}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {text.videosHint}
      </Text>
    </div>
  )
}
