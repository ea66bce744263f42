/** The stories that `npm test` tells in one mode only, in the other one. */
import './builder.story.ts'
import './console.story.ts'
import './describe-study.story.ts'
import './own-page.story.ts'
import './participant.story.ts'
import './sharing.story.ts'
