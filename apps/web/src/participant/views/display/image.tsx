import { useState } from 'react'
import { texts } from '../../../text/participant.ts'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import './display.css'

interface PictureProps {
  /** Undefined if there is no such picture, or no longer. */
  src: string | undefined
  alt: string
  width?: number | undefined
}

/** A picture, or its alternative text if it cannot be loaded. */
export function Picture({ src, alt, width }: PictureProps) {
  const [hasFailed, setHasFailed] = useState(false)
  if (hasFailed || src === undefined) return <MissingPicture alt={alt} />
  return <img className="picture" src={src} alt={alt} width={width} onError={() => setHasFailed(true)} />
}

/** Says what a picture would show. */
export const MissingPicture = ({ alt }: { alt: string }) => (
  <p className="notice is-warning">
    {texts().views.image.notLoaded} {alt !== '' && texts().views.image.shows(alt)}
  </p>
)

const Image = ({ settings: { src, alt, caption, width } }: SettledProps<'image'>) => (
  <figure className="figure">
    <Picture key={src} src={src} alt={alt} width={width} />
    {caption !== undefined && <figcaption>{caption}</figcaption>}
  </figure>
)

export const ImageView = withSettings('image', Image)
