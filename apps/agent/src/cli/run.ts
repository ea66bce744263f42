import { Misuse } from '../misuse.ts'
import { invocation } from './environment.ts'
import { type Command, exitCodes, type Io } from './io.ts'
import { nearest } from './nearest.ts'
import { version } from './version.ts'

/** Loaded when they are needed: --help and --version answer at once even on a slow machine. */
const commands: Record<string, Command> = {
  serve: async (args, io) => (await import('../commands/serve.ts')).runServe(args, io),
  verify: async (args, io) => (await import('../commands/verify.ts')).runVerify(args, io),
  tunnel: async (args, io) => (await import('../commands/tunnel.ts')).runTunnel(args, io),
}

const usage = (tool: string) => `atrium-agent ${version}: run your own model server for agents of Atrium

Usage: ${tool} <command> [flags]

  serve    choose a model for this machine, download it and serve it with an API key
  verify   check that a model server keeps Atrium's contract
  tunnel   give the local server a public HTTPS address

${tool} <command> --help describes the flags of a command.
${tool} --version prints the version.

A first time through: serve, then verify in a second terminal, then tunnel if Atrium runs on another machine.
Enter the base URL and the key as a credential in Atrium's console.
`

/** Runs one command line. */
export const runCli = (args: string[], io: Io): Promise<number> =>
  exitCodeOf(args[0], io, () => choose(args, io))

/** Every error becomes a message and an exit code here, and nowhere else. */
export async function exitCodeOf(
  command: string | undefined,
  io: Io,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (io.signal.aborted) {
      io.stderr.write('Stopped.\n')
      return exitCodes.stopped
    }
    if (error instanceof Misuse) {
      io.stderr.write(`${error.message}\n`)
      return exitCodes.misused
    }
    io.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n\n${howToReport(command)}\n`)
    return exitCodes.failed
  }
}

async function choose([first, ...rest]: string[], io: Io): Promise<number> {
  const tool = invocation(io.env)
  if (first === undefined) {
    io.stderr.write(usage(tool))
    return exitCodes.misused
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    const command = first === 'help' && rest[0] !== undefined ? commandOf(rest[0]) : undefined
    if (command !== undefined) return command(['--help'], io)
    io.stdout.write(usage(tool))
    return exitCodes.ok
  }
  if (first === '--version' || first === '-v') {
    io.stdout.write(`${version}\n`)
    return exitCodes.ok
  }
  const command = commandOf(first)
  if (command === undefined) throw new Misuse(unknownCommand(first, tool))
  return command(rest, io)
}

const commandOf = (word: string): Command | undefined =>
  Object.hasOwn(commands, word) ? commands[word] : undefined

function unknownCommand(word: string, tool: string): string {
  const meant = nearest(word, [...Object.keys(commands), '--help', '--version'])
  const hint = meant === undefined ? '' : ` Did you mean “${tool} ${meant}”?`
  return `There is no command “${word.slice(0, 100)}”.${hint} See: ${tool} --help`
}

const howToReport = (command: string | undefined): string =>
  `This is a fault of atrium-agent ${version}, not yours. Please report it with the text above, the command (${command ?? 'none'}, flags without the API key), and the output of “node --version” (${process.version}, ${process.platform} ${process.arch}).`
