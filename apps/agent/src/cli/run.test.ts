import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createTestIo } from '../../test/test-io.ts'
import { createProgress } from './progress.ts'
import { runCli } from './run.ts'
import { formatTable } from './table.ts'
import { version } from './version.ts'

async function run(...args: string[]) {
  const test = createTestIo()
  const code = await runCli(args, test.io)
  return { code, out: test.out(), err: test.err() }
}

it('[AG120] [R46] says its version and describes its commands', async () => {
  expect(await run('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
  for (const args of [['--help'], ['-h'], ['help'], ['help', 'constructor']])
    expect(await run(...args)).toMatchObject({
      code: 0,
      out: expect.stringContaining('verify   check that'),
      err: '',
    })
  for (const args of [
    ['verify', '--help'],
    ['tunnel', '-h'],
    ['help', 'verify'],
  ])
    expect(await run(...args)).toMatchObject({ code: 0, out: expect.stringContaining('Exit codes: 0') })
  expect(await run()).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Usage: atrium-agent') })
})

it('[AG121] an unknown command or flag is refused with the nearest one', async () => {
  expect(await run('vreify')).toMatchObject({
    code: 2,
    err: 'There is no command “vreify”. Did you mean “atrium-agent verify”? See: atrium-agent --help\n',
  })
  expect((await run('--versoin')).err).toContain('Did you mean “atrium-agent --version”?')
  expect((await run('constructor')).err).toBe('There is no command “constructor”. See: atrium-agent --help\n')
  expect(await run('tunnel', '--prot', '1')).toMatchObject({
    code: 2,
    err: 'tunnel has no flag --prot. Did you mean --port? See: atrium-agent tunnel --help\n',
  })
  expect((await run('tunnel', '--__proto__')).err).toBe(
    'tunnel has no flag --__proto__. See: atrium-agent tunnel --help\n',
  )
  expect((await run('tunnel', '--port', '--json')).err).toBe(
    '--port needs a value. If it is really “--json”, write --port=--json\n',
  )
  expect((await run('tunnel', '--yes=no')).err).toContain('--yes takes no value')
})

it('[AG122] a fault of our own is shown with how to report it', async () => {
  const { io, err } = createTestIo()
  const broken = {
    ...io,
    stdout: {
      write() {
        throw new Error('a fault')
      },
    },
  }
  expect(await runCli(['--version'], broken)).toBe(1)
  expect(err()).toContain('Error: a fault\n')
  expect(err()).toContain(`This is a fault of atrium-agent ${version}, not yours. Please report it`)
})

it('[AG91] overwrites one line on a terminal, and writes one line for each step elsewhere', () => {
  const terminal = createTestIo({ answers: '' })
  const line = createProgress({ ...terminal.io, stderr: { ...terminal.io.stderr, columns: 14 } })
  line.show('Checking auth …', '1 of 5')
  line.clear()
  expect(terminal.err()).toBe('\r\u001B[KChecking auth\r\u001B[K')
  const file = createTestIo()
  const lines = createProgress(file.io)
  lines.show('Checking auth …', '1 of 5')
  lines.show('Checking auth …', '2 of 5')
  lines.clear()
  expect(file.err()).toBe('Checking auth …\n')
})

it('[AG91] a table wraps its last column within the width of the terminal', () => {
  const rows = [
    ['ok', 'auth', 'a sentence that is longer than the room there is'],
    ['FAILED', 'x', 'short'],
  ]
  expect(formatTable(rows, 46)).toBe(
    [
      '  ok      auth  a sentence that is longer than',
      '                the room there is',
      '  FAILED  x     short',
    ].join('\n'),
  )
})

it('[AG124] an output that cannot be written changes nothing', () => {
  const full = openSync('/dev/full', 'w')
  const entry = fileURLToPath(new URL('../entry/atrium-agent.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, [entry, 'vreify'], { stdio: ['ignore', full, full] })
  closeSync(full)
  expect(status).toBe(2)
})
