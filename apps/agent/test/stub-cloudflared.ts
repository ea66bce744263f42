import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How the stub behaves once it has said hello; everything is on stderr, as with the real one. */
const behaviours = {
  good: 'announce(); registered()',
  /** In pieces that end in the middle of the address. */
  pieces: `
    const text = box().join('\\n') + '\\n'
    const middle = text.indexOf('trycloudflare') + 4
    process.stderr.write(text.slice(0, middle))
    const timer = setInterval(() => { clearInterval(timer); process.stderr.write(text.slice(middle)); registered() }, 50)`,
  /** Only after the file \`go\` appears beside it. */
  late: `
    const timer = setInterval(() => {
      if (!existsSync(__filename + '.go')) return
      clearInterval(timer)
      announce()
      registered()
    }, 20)`,
  never: 'log("INF", "Still thinking")',
  dies: `
    log('ERR', 'Error requesting new quick Tunnel error="Post \\\\"https://api.trycloudflare.com/tunnel\\\\": 429 Too Many Requests"')
    process.exit(1)`,
  /** Its own words have no level: as when a flag or a library is wrong. */
  diesPlainly: `
    process.stderr.write('Incorrect Usage: flag provided but not defined: -no-autoupdate eyJhIjoiMTIzNDU2Nzg5MCJ9.x\\n')
    process.exit(1)`,
  /**
   * Is there, and complains while its address leads nowhere. First, because whoever reads waits only for the connection; and
   * it notes who it is before that, because it is ended as soon as it has said all this.
   */
  complains: 'note(); announce(); log("ERR", "Unable to reach the origin service"); registered()',
  /** Ends once the file \`go\` appears beside it. */
  diesLater: `
    announce()
    registered()
    setInterval(() => { if (existsSync(__filename + '.go')) { log('ERR', 'Connection terminated'); process.exit(3) } }, 20)`,
  /** Says nothing and does not stop; notes that it was asked to. */
  deaf: 'process.on("SIGTERM", () => writeFileSync(__filename + ".asked", ""))',
  stubborn: 'process.on("SIGTERM", () => log("INF", "Not yet")); announce(); registered()',
}
export type StubBehaviour = keyof typeof behaviours

export const stubAddress = 'https://four-quite-random-words.trycloudflare.com'

/**
 * Writes a program that behaves like cloudflared, and returns its path. Once it is
 * ready for signals, it notes its arguments, variables and pid beside itself.
 */
export function writeStubCloudflared(folder: string, behaviour: StubBehaviour): string {
  const path = join(folder, 'cloudflared')
  writeFileSync(
    path,
    // Not Node in the first line: its path may contain a space. To Node, the second line is a comment.
    `#!/bin/sh
':' //; exec "${process.execPath}" "$0" "$@"
const { existsSync, writeFileSync } = require('node:fs')
const log = (level, text) => process.stderr.write('2026-11-16T10:00:00Z ' + level + ' ' + text + '\\n')
const line = (text) => '2026-11-16T10:00:00Z INF |  ' + text.padEnd(86) + '|'
const box = () => [line('Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):'), line('${stubAddress}')]
const announce = () => process.stderr.write(box().join('\\n') + '\\n')
const registered = () => log('INF', 'Registered tunnel connection connIndex=0 protocol=quic')
log('INF', 'Requesting new quick Tunnel on trycloudflare.com...')
setInterval(() => undefined, 60_000)
let isNoted = false
const note = () => {
  if (!isNoted) writeFileSync(__filename + '.json', JSON.stringify({ args: process.argv.slice(2), env: process.env, pid: process.pid }))
  isNoted = true
}
${behaviours[behaviour]}
note()
`,
  )
  chmodSync(path, 0o755)
  return path
}
