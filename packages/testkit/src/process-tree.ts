import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

type ProcessEntry = { pid: number; parent: number; ended: boolean }

/** A process and everything it started, parents first. */
export function processTree(pid: number): number[] {
  const running = listProcesses().filter(({ ended }) => !ended)
  const tree = [pid]
  for (const parent of tree) {
    tree.push(...running.filter((entry) => entry.parent === parent).map((entry) => entry.pid))
  }
  return tree
}

/** Sends a signal to each process and ignores those that have just ended. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** A zombie counts as ended, because in a container without an init process nothing ever reaps it. */
export function stillRunning(pids: number[]): number[] {
  const running = new Set(listProcesses().flatMap(({ pid, ended }) => (ended ? [] : [pid])))
  return pids.filter((pid) => running.has(pid))
}

function listProcesses(): ProcessEntry[] {
  return existsSync('/proc/self/stat') ? listFromProc() : listFromPs()
}

function listFromProc(): ProcessEntry[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      // "12 (a name) with) brackets) S 1 …": only what follows the last bracket can be split safely.
      const [state, parent] = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ')
      return [{ pid: Number(pid), parent: Number(parent), ended: state === 'Z' || state === 'X' }]
    } catch {
      return [] // It has just ended.
    }
  })
}

function listFromPs(): ProcessEntry[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return lines.map((line) => {
    const [pid, parent, state = ''] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), ended: state.startsWith('Z') }
  })
}
