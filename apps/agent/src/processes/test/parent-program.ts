// Starts a program as the tool does, in a process that tests can kill once it has said so: <program> <arguments …>
import { startChild } from '../child.ts'

const [binary = '', ...args] = process.argv.slice(2)
const { ended } = startChild('The program', binary, args, { env: process.env })
process.stdout.write('It is watched over.\n')
await ended
