/** The stories that `npm test` tells in one mode only, in the other one. */
import './credentials.test.ts'
import './pilots.test.ts'
import './study-drafts.test.ts'
import './model-servers.test.ts'
