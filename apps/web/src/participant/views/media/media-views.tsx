import type { SettledProps } from '../settings/with-settings.tsx'
import { Player } from './player.tsx'

export const Video = (props: SettledProps<'video'>) => (
  <Player kind="video" props={props} {...props.settings} />
)

export const Audio = (props: SettledProps<'audio'>) => (
  <Player kind="audio" props={props} {...props.settings} poster={undefined} captions={undefined} />
)
