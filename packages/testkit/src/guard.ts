import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Runs a shell script when this process is gone, however it ended: after SIGKILL or a crash no exit handlers run, and a
 * surviving server or database would slow down everything that follows. The shell waits for the end of a pipe that only
 * we hold open. The returned function cancels it.
 */
export function runAfterOurExit(script: string, value: string): () => void {
  const shell = spawn('/bin/sh', ['-c', `read -r _; ${script}`, 'guard', value], {
    cwd: '/',
    detached: true, // Ctrl-C reaches our whole process group, and the guard must outlive us.
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // The guard must not keep us alive.
  shell.unref()
  if (shell.stdin instanceof Socket) shell.stdin.unref()
  return () => void shell.kill('SIGKILL')
}
