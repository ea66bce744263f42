/** The stories that `npm test` tells in one mode only, in the other one. */
import './places.test.ts'
import './policies.test.ts'
import './rounds.test.ts'
import './no-capacity.test.ts'
import './one-socket.test.ts'
