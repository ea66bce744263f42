import { spawn } from 'node:child_process'

/**
 * Kills a process group when this process ends, however it ends: nobody can react to SIGKILL or to a lack of memory, but the
 * end of a pipe is noticed by whoever reads it. Returns what ends the watch. On Windows, Node lets children end with us.
 */
export function watchOver(group: number): () => Promise<void> {
  const watcher = spawn('/bin/sh', ['-c', 'read -r nothing; kill -KILL "-$1"', 'sh', String(group)], {
    detached: true, // Ctrl-C in the terminal is not for it.
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  })
  watcher.stdin.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    watcher.once('exit', () => resolve())
    watcher.once('error', () => resolve()) // Without a shell, only an end that we notice ends the group.
  })
  return () => {
    watcher.kill('SIGKILL')
    return ended
  }
}
