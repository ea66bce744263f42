import { type SettledProps, withSettings } from '../settings/with-settings.tsx'
import { Player } from './player.tsx'

const Video = (props: SettledProps<'video'>) => <Player kind="video" props={props} {...props.settings} />

const Audio = (props: SettledProps<'audio'>) => (
  <Player kind="audio" props={props} {...props.settings} poster={undefined} captions={undefined} />
)

export const VideoView = withSettings('video', Video)
export const AudioView = withSettings('audio', Audio)
