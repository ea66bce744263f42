/** The stories that `npm test` tells in one mode only, in the other one. */
import './agents-and-loops.test.ts'
import './archive.test.ts'
import './command.test.ts'
import './odd-tables.test.ts'
import './while-arriving.test.ts'
