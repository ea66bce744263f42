import type { VideoRecord } from '@atrium/contract'
import { useState } from 'react'
import { PlayIcon, VideoIcon } from '../shell/icons.tsx'

interface PosterProps {
  video: VideoRecord
  /** Undefined while it cannot be played. */
  onPlay: (() => void) | undefined
}

/** A still of the video, which plays it. Only for the mouse: the button beside it does the same. */
export function Poster({ video, onPlay }: PosterProps) {
  if (!onPlay)
    return (
      <div className="poster">
        <VideoIcon />
      </div>
    )
  return (
    <button type="button" className="poster" tabIndex={-1} aria-hidden onClick={onPlay}>
      {/* A video that is processed again has another picture. */}
      <PosterPicture key={video.hlsCompletedAt} address={video.posterUrl} />
      <span className="poster-play">
        <PlayIcon />
      </span>
    </button>
  )
}

/**
 * Every reading of the list signs new addresses. The picture keeps its first one, or it would be loaded again and
 * again; only when that one fails is the newest tried.
 */
export function PosterPicture({ address }: { address: string | null }) {
  const [shown, setShown] = useState(address)
  const [failed, setFailed] = useState<string>()
  if (shown === null && address !== null) setShown(address)
  if (shown === null || shown === failed) return null
  const onError = () => (address === shown ? setFailed(shown) : setShown(address))
  return <img src={shown} alt="" loading="lazy" onError={onError} />
}
