import { expect, test } from 'vitest'
import { defaultOptions, readCommand } from './options.ts'

test('a run without arguments runs everything on both engines', () => {
  expect(readCommand([])).toEqual({
    benches: [
      ...['events', 'join', 'discover', 'memory', 'rooms', 'matching', 'router', 'clock', 'in-step'],
      ...[
        'reaction',
        'scale-out',
        'uploads',
        'ladder',
        'agent-front',
        'agents',
        'console',
        'exports',
        'pages',
        'input',
        'picture-trials',
        'large-room',
      ],
    ],
    engines: ['sqlite', 'postgres'],
    options: { ...defaultOptions, profileFolder: undefined, beforeFolder: undefined },
    write: false,
  })
  expect(() => readCommand(['evnts'])).toThrow('not one of events')
  expect(() => readCommand(['--seconds', '0'])).toThrow('not a number above 0')
})
