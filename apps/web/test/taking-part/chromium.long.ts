import { openChromium } from './chromium.ts'
import { tellStoriesIn } from './tell-stories.ts'

tellStoriesIn('Chromium', openChromium)
