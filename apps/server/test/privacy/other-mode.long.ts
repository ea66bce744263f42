/** The stories that `npm test` tells in one mode only, in the other one. */
import './deletion.test.ts'
import './shared-rooms.test.ts'
