import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { defaultOptions, readCommand } from './options.ts'

const program = fileURLToPath(new URL('./run.ts', import.meta.url))
const thisCheckout = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Keeps the benchmarks from rotting: one tiny run through the command line. These use the HTTP and socket workers,
 * every kind of target, another checkout and the reports. The figures mean nothing here, but NaN would show that nothing
 * was measured.
 */
test('the benchmarks run, and compare with another checkout', { timeout: 900_000 }, async ({ signal }) => {
  const size =
    '--engine sqlite --seconds 0.1 --rounds 1 --clients 4 --sessions 20 --sockets 8 --actions 100 --mebibytes 12'
  const args = [program, 'events', 'rooms', 'router', 'uploads', ...size.split(' '), '--before', thisCheckout]
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal })
  for (const row of [
    'Atrium',
    'floor',
    'naive',
    'naive, one insert',
    'Atrium, before',
    'raw ws',
    'direct',
    'file copy',
  ])
    expect(stdout).toMatch(new RegExp(`^\\| ${row} +\\|`, 'm'))
  for (const text of ['Atrium, before, durable action', 'SQLite, in process, before', 'replay from the log'])
    expect(stdout).toContain(text)
  expect(stdout).not.toContain('NaN')
})

test('a run without arguments runs everything on both engines', () => {
  expect(readCommand([])).toEqual({
    benches: [
      ...['events', 'join', 'discover', 'memory', 'rooms', 'matching', 'router', 'clock', 'in-step'],
      ...['scale-out', 'uploads', 'ladder'],
    ],
    engines: ['sqlite', 'postgres'],
    options: { ...defaultOptions, profileFolder: undefined, beforeFolder: undefined },
    write: false,
  })
  expect(() => readCommand(['evnts'])).toThrow('not one of events')
  expect(() => readCommand(['--seconds', '0'])).toThrow('not a number above 0')
})
