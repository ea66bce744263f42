#!/usr/bin/env node
import { exitCodes, type Io } from '../cli/io.ts'
import { runCli } from '../cli/run.ts'

const stop = new AbortController()

// The first signal stops in order, the second at once: whoever presses Ctrl-C twice does not want to wait.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(exitCodes.stopped)
    stop.abort(new Error(`stopped by ${signal}`))
  })
}

// A reader that has gone (| head), a closed terminal and a full disk are no errors of ours, and nobody could be told. What the
// command does is worth finishing: a server must not end because its log cannot be written.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: stop.signal,
  isTerminal: process.stderr.isTTY === true,
  // Opened only when there is a question.
  get stdin() {
    return process.stdin
  },
}

// Set, not `process.exit`: what was written to a pipe has to get there first.
process.exitCode = await runCli(process.argv.slice(2), io)
