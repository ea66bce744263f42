export { type Child, startChild, stripAtriumVars } from './child.ts'
export { executableName, expectProgram, findOnPath, programBelow } from './find-program.ts'
export { isAlive } from './is-alive.ts'
export { type RunProgram, runProgram } from './run-program.ts'
