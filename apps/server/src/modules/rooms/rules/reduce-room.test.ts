import { testReduceRoom } from '../test/reduce-room-properties.ts'

testReduceRoom(120)
