import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('./run.ts', import.meta.url))
const thisCheckout = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Keeps the benchmarks from rotting: one tiny run through the command line. These use the HTTP and socket workers,
 * every kind of target, another checkout and the reports. The figures mean nothing here, but NaN would show that nothing
 * was measured.
 */
test('the benchmarks run, and compare with another checkout', { timeout: 900_000 }, async ({ signal }) => {
  const size =
    '--engine sqlite --seconds 0.1 --rounds 1 --clients 4 --sessions 20 --sockets 8 --actions 100 --mebibytes 12 --events 2000'
  const benches = ['events', 'rooms', 'router', 'uploads', 'agent-front', 'agents', 'console', 'exports']
  const args = [program, ...benches, ...size.split(' '), '--before', thisCheckout]
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal })
  for (const row of [
    'Atrium',
    'floor',
    'naive',
    'naive, one insert',
    'Atrium, before',
    'raw ws',
    'as fast as it goes, floor',
    '100 actions/s, Atrium, before',
    'direct',
    'file copy',
    '8 in parallel, front',
    'SQLite, in process, at once',
    'Atrium, before, monitor',
    'Atrium, participants, parquet',
  ])
    expect(stdout).toMatch(new RegExp(`^\\| ${row} +\\|`, 'm'))
  for (const text of ['Atrium, before, durable action', 'SQLite, in process, before', 'replay from the log'])
    expect(stdout).toContain(text)
  expect(stdout).not.toContain('NaN')
})

test('so do those that need a second', { timeout: 900_000 }, async ({ signal }) => {
  const args = [
    program,
    'join',
    'discover',
    'matching',
    'ladder',
    'pages',
    'input',
    'picture-trials',
    'large-room',
  ]
  const size = '--engine sqlite --seconds 1 --rounds 1 --clients 4 --sessions 20 --trials 5'
  const { stdout } = await promisify(execFile)(process.execPath, [...args, ...size.split(' ')], { signal })
  for (const what of [
    'CPU per second of film',
    'CPU, one process ÷ four',
    '÷ PING',
    'floor: bare page',
    'floor: a bare text field',
    'a block of trials',
    'action to acknowledgement',
  ])
    expect(stdout).toContain(what)
  expect(stdout).not.toContain('NaN')
})
