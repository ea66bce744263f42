import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Runs a shell script when this process is gone, however it went: SIGKILL and a crashed test worker run no exit
 * handlers, and a server or a database that survives them would slow down everything after. The script's shell waits
 * for the end of a pipe that only we hold open. The returned function calls it off.
 */
export function runWhenWeAreGone(script: string, value: string): () => void {
  const shell = spawn('/bin/sh', ['-c', `read -r _; ${script}`, 'guard', value], {
    cwd: '/',
    detached: true, // Ctrl-C goes to our whole process group; the guard must outlive us.
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // The guard must not keep us alive.
  shell.unref()
  if (shell.stdin instanceof Socket) shell.stdin.unref()
  return () => void shell.kill('SIGKILL')
}
