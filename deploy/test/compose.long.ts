import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { installSystemPrograms } from '../../scripts/system-programs.mjs'
import { composePath, readCompose, sampleEnvironment } from './compose-file.ts'

beforeAll(() => installSystemPrograms([{ program: 'docker-compose', package: 'docker-compose' }]))

test('docker-compose understands the file as the other tests do', () => {
  // Debian's version is older than the name of a project in the file.
  const input = readFileSync(composePath, 'utf8').replace(/^name: atrium$/m, '')
  const env = { PATH: process.env.PATH, ...sampleEnvironment }
  const { stdout, stderr } = spawnSync('docker-compose', ['-f', '-', 'config'], {
    input,
    env,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const understood = parse(stdout).services as Record<string, { environment?: object; command?: string[] }>
  const { services } = readCompose(sampleEnvironment)
  expect(Object.keys(understood).sort()).toEqual(Object.keys(services).sort())
  for (const [name, { environment, command }] of Object.entries(understood)) {
    expect(environment ?? {}).toEqual(services[name]?.environment ?? {})
    expect(command).toEqual(services[name]?.command)
  }
})
