/** The stories that `npm test` tells in one mode only, in the other one. */
import './capacity.test.ts'
