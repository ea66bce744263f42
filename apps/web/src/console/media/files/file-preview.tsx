import type { MediaRecord } from '@atrium/contract'
import { useState } from 'react'
import { texts } from '../../../text/console.ts'
import { PosterPicture } from '../poster.tsx'

/** The picture itself, or a player of the sound. */
export function FilePreview({ file }: { file: MediaRecord }) {
  const { name, kind, url } = file
  // Another address would stop what is playing.
  const [first] = useState(url)
  return (
    <div className="file-preview" data-kind={kind}>
      {kind === 'picture' ? (
        <PosterPicture address={url} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: what somebody uploaded has no captions
        <audio src={first} controls preload="none" aria-label={texts().mediaFiles.play(name)} />
      )}
    </div>
  )
}
