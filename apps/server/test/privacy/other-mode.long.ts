/** The stories that `npm test` tells in one mode only, in the other one. */
import './canaries.test.ts'
import './deletion.test.ts'
import './shared-rooms.test.ts'
