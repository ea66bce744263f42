import Hls, { ErrorTypes, Events } from 'hls.js'
import { type RefObject, useEffect, useRef, useState } from 'react'

type PlayFailure = 'lost' | 'broken' | 'unsupported'

export interface HlsPlayback {
  /** Names of the available qualities, lowest first. */
  levels: readonly string[]
  /** Index of the quality that is played at present. */
  current: number | undefined
  /** Index of the quality that was asked for; undefined: whatever suits the connection. */
  chosen: number | undefined
  choose: (level: number | undefined) => void
  failure: PlayFailure | undefined
}

/** Plays the playlist at an address in a video element. */
export function useHls(element: RefObject<HTMLVideoElement | null>, address: string): HlsPlayback {
  const player = useRef<Hls>(undefined)
  const [levels, setLevels] = useState<readonly string[]>([])
  const [current, setCurrent] = useState<number>()
  const [chosen, setChosen] = useState<number>()
  const [failure, setFailure] = useState<PlayFailure>()
  useEffect(() => {
    const video = element.current
    if (!video) return
    setFailure(undefined)
    // Asked first: Chromium claims that it can play playlists itself.
    if (!Hls.isSupported()) return playNatively(video, address, setFailure)
    // The content security policy allows no workers made from text.
    const hls = new Hls({ enableWorker: false, capLevelToPlayerSize: true })
    player.current = hls
    hls.on(Events.MANIFEST_PARSED, () => setLevels(hls.levels.map(({ height }) => `${height}p`)))
    hls.on(Events.LEVEL_SWITCHED, (_, { level }) => setCurrent(level))
    let isRecovered = false
    hls.on(Events.ERROR, (_, error) => {
      if (!error.fatal) return
      // A decoder that has stumbled is restarted once; hls.js has tried everything else again by itself.
      if (error.type === ErrorTypes.MEDIA_ERROR && !isRecovered) {
        isRecovered = true
        hls.recoverMediaError()
      } else setFailure(error.type === ErrorTypes.NETWORK_ERROR ? 'lost' : 'broken')
    })
    hls.loadSource(address)
    hls.attachMedia(video)
    return () => hls.destroy()
  }, [element, address])
  return {
    levels,
    current,
    chosen,
    choose(level) {
      setChosen(level)
      if (player.current) player.current.nextLevel = level ?? -1
    },
    failure,
  }
}

/** Safari on iPhones. */
function playNatively(
  video: HTMLVideoElement,
  address: string,
  onFailure: (failure: PlayFailure) => void,
): (() => void) | undefined {
  if (video.canPlayType('application/vnd.apple.mpegurl') === '') return void onFailure('unsupported')
  const fail = () => onFailure('lost')
  video.addEventListener('error', fail)
  video.src = address
  return () => video.removeEventListener('error', fail)
}
