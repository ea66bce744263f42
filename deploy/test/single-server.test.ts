import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hardStopMs } from '@atrium/program'
import { expect, test } from 'vitest'
import { readConfig } from '../../apps/server/src/config/config.ts'
import { installedIn, readFile, readUnit, root } from './single-server.ts'

const server = readUnit('atrium.service')
const backup = readUnit('atrium-backup.service')

test.each([
  ['atrium.service', server, 'apps/server/src/entry/serve.ts'],
  ['atrium-backup.service', backup, 'apps/server/src/entry/backup.ts'],
])(
  '%s starts a program of this checkout, as a user without rights, and without npm',
  (_name, unit, entry) => {
    const [command = ''] = unit.ExecStart ?? []
    expect(command).toContain(`node_modules/.bin/node ${entry}`)
    expect(existsSync(join(root, entry))).toBe(true)
    expect(unit).toMatchObject({
      User: ['atrium'],
      WorkingDirectory: [installedIn],
      NoNewPrivileges: ['true'],
      ProtectSystem: ['strict'],
      UMask: ['0077'],
      CapabilityBoundingSet: [''],
    })
  },
)

test('server and backup have the same data and settings, and the server has time to drain', () => {
  expect(backup.EnvironmentFile).toEqual(server.EnvironmentFile)
  expect(backup.Environment).toEqual(server.Environment)
  const [[key = '', dataDir = ''] = []] = (server.Environment ?? []).map((pair) => pair.split('='))
  expect(readConfig({ [key]: dataDir }, 'a-host').dataDir).toBe('/var/lib/atrium')
  expect(server.StateDirectory).toEqual(['atrium'])
  expect(backup.ReadWritePaths?.join(' ').split(' ')).toContain(dataDir)
  expect(Number(server.TimeoutStopSec) * 1000).toBeGreaterThan(hardStopMs)
})

test('the proxy lets uploads pass, forwards to the default port, and drops claimed addresses', () => {
  const proxy = readFile('nginx.conf')
  expect(proxy).toContain(`proxy_pass http://127.0.0.1:${readConfig({}, 'a-host').port};`)
  expect(proxy).toContain('client_max_body_size 101m;')
  expect(proxy).toContain('X-Forwarded-For $remote_addr;')
  expect(proxy).not.toMatch(/^[^#]*\$proxy_add_x_forwarded_for/m)
})
