import { openFirefox } from './firefox.ts'
import { tellStoriesIn } from './tell-stories.ts'

tellStoriesIn('Firefox', openFirefox)
