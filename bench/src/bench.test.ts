import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { defaultOptions, readCommand } from './options.ts'

const program = fileURLToPath(new URL('./run.ts', import.meta.url))
const thisCheckout = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Keeps the benchmarks from rotting: one tiny run through the command line, with every kind of worker and target except
 * the clusters of scale-out. The figures mean nothing here; NaN would show that nothing was measured.
 */
test('the benchmarks run, and compare with another checkout', async () => {
  const benches = ['events', 'join', 'memory', 'rooms', 'matching', 'router']
  const size = '--engine sqlite --seconds 0.1 --rounds 1 --clients 4 --sessions 50 --requests 200 --sockets 8'
  const args = [program, ...benches, ...size.split(' '), '--actions', '100', '--before', thisCheckout]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  for (const row of ['Atrium', 'floor', 'naive', 'naive, one insert', 'Atrium, before', 'raw ws', 'claim'])
    expect(stdout).toMatch(new RegExp(`^\\| ${row} +\\|`, 'm'))
  for (const line of ['## Join', 'RSS:', 'Reducer', 'Atrium, before, durable action', '| direct '])
    expect(stdout).toContain(line)
  expect(stdout).not.toContain('NaN')
})

test('a run without arguments runs everything on both engines', () => {
  expect(readCommand([])).toEqual({
    benches: ['events', 'join', 'discover', 'memory', 'rooms', 'matching', 'router', 'scale-out'],
    engines: ['sqlite', 'postgres'],
    options: { ...defaultOptions, profileFolder: undefined, beforeFolder: undefined },
    write: false,
  })
  expect(() => readCommand(['evnts'])).toThrow('not one of events')
  expect(() => readCommand(['--seconds', '0'])).toThrow('not a number above 0')
})
