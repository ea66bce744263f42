import { useState } from 'react'
import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import './display.css'

/** A picture, or its description when it cannot be loaded. */
export function Picture({ src, alt, width }: { src: string; alt: string; width?: number | undefined }) {
  const [hasFailed, setHasFailed] = useState(false)
  if (hasFailed)
    return (
      <p className="notice is-warning">The picture could not be loaded.{alt !== '' && ` It shows: ${alt}`}</p>
    )
  return <img className="picture" src={src} alt={alt} width={width} onError={() => setHasFailed(true)} />
}

const Image = ({ settings: { src, alt, caption, width } }: SettledProps<'image'>) => (
  <figure className="figure">
    <Picture key={src} src={src} alt={alt} width={width} />
    {caption !== undefined && <figcaption>{caption}</figcaption>}
  </figure>
)

export const ImageView = withSettings('image', Image)
