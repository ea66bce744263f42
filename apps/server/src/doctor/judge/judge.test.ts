import { expect, test } from 'vitest'
import type { Finding } from '../finding.ts'
import { judgeClock } from './clock.ts'
import { judgeNames } from './configuration.ts'
import { judgePostgres } from './database.ts'
import { type DiskFacts, judgeDisk } from './disk.ts'
import { type FfmpegFacts, judgeFfmpeg } from './ffmpeg.ts'
import { judgeIdentity } from './identity.ts'
import { judgeNode, judgePackages, judgePort } from './machine.ts'
import { judgeProxy } from './proxy.ts'
import { judgeRedis } from './redis.ts'
import { judgeSecretFile, judgeSecrets } from './secrets.ts'

const worst = (findings: Finding | Finding[]) =>
  ['problem', 'warning', 'ok'].find((level) => [findings].flat().some((finding) => finding.level === level))

test('[R50] every finding that is not ok says what to fix', () => {
  const findings = [
    judgeNode('20.1.0'),
    judgePackages({ needed: 3, missing: ['a', 'b'], different: [] }),
    judgePackages({ needed: undefined, missing: [], different: [] }),
    judgePort({ key: 'PORT', host: '127.0.0.1', port: 80, state: { code: 'EACCES' } }),
    judgeClock({ other: 'Redis', aheadMs: -3_000 }),
    judgeSecretFile({ path: 'session-secret', mode: 0o100644 }),
    judgeIdentity({ kind: 'development', isReachable: true }),
    ...judgeRedis({ kind: 'unreachable', code: 'NOPERM' }),
    ...judgePostgres({ kind: 'unreachable', code: '3D000' }),
  ]
  expect(findings.filter(({ level }) => level === 'ok')).toEqual([])
  for (const { mend } of findings) expect(mend).toMatch(/^[A-Z].+\.$/)
})

test.each([
  ['24.21.0', 'ok'],
  ['26.0.0', 'ok'],
  ['22.9.0', 'problem'],
])('[R50] Node %s: %s', (version, level) => {
  expect(judgeNode(version).level).toBe(level)
})

test.each([
  [0, 'ok'],
  [1_999, 'ok'],
  [-2_000, 'warning'],
  [59_000, 'warning'],
  [-3_600_000, 'problem'],
])('[R50] a clock that is %i ms ahead: %s', (aheadMs, level) => {
  expect(judgeClock({ other: 'PostgreSQL', aheadMs }).level).toBe(level)
})

const goodDisk: DiskFacts = {
  key: 'DATA_DIR',
  folder: '/data',
  freeBytes: 10 * 2 ** 30,
  fileSystem: 0xef53,
  writeError: undefined,
  hasDatabase: true,
}
test.each<[string, Partial<DiskFacts>, string]>([
  ['a local disk', {}, 'ok'],
  ['little space', { freeBytes: 2 ** 30 }, 'warning'],
  ['hardly any space', { freeBytes: 2 ** 27 }, 'problem'],
  ['NFS', { fileSystem: 0x6969 }, 'problem'],
  ['SMB', { fileSystem: 0xfe534d42 }, 'problem'],
  ['NFS without a database on it', { fileSystem: 0x6969, hasDatabase: false }, 'ok'],
  ['FUSE', { fileSystem: 0x65735546 }, 'warning'],
  ['a read-only file system', { writeError: 'EROFS' }, 'problem'],
  ['a folder of somebody else', { writeError: 'EACCES' }, 'problem'],
])('[R50] disk: %s', (_, facts, level) => {
  expect(worst(judgeDisk({ ...goodDisk, ...facts }))).toBe(level)
})

const goodFfmpeg: FfmpegFacts = {
  notNeeded: undefined,
  isConfigured: false,
  ffmpeg: { banner: 'ffmpeg version 5.1.9-0+deb12u1 Copyright (c)' },
  ffprobe: { banner: 'ffprobe version 5.1.9-0+deb12u1 Copyright (c)' },
  encoders: { libx264: true, aac: true },
  hasSandbox: true,
}
test.each<[string, Partial<FfmpegFacts>, string]>([
  ['that of Debian', {}, 'ok'],
  ['a release with an n', { ffmpeg: { banner: 'ffmpeg version n7.1 Copyright' } }, 'ok'],
  ['a build from git', { ffmpeg: { banner: 'ffmpeg version N-12345-gabc Copyright' } }, 'ok'],
  ['an old one', { ffmpeg: { banner: 'ffmpeg version 4.2.7 Copyright' } }, 'problem'],
  ['one that cannot be run', { ffprobe: { banner: undefined } }, 'problem'],
  ['none', { ffmpeg: undefined }, 'warning'],
  ['none where FFMPEG_PATH is', { ffmpeg: undefined, isConfigured: true }, 'problem'],
  ['none, where none is needed', { ffmpeg: undefined, notNeeded: 'Workers transcode.' }, 'ok'],
  ['one without a sandbox', { hasSandbox: false }, 'warning'],
])('[R50] ffmpeg: %s', (_, facts, level) => {
  expect(worst(judgeFfmpeg({ ...goodFfmpeg, ...facts }))).toBe(level)
})

const random = 'q8Yk2vP0sX7mZb4RtWc1NhLd6JfGa3Ue'
const secret = (key: string, ...values: string[]) => ({
  key,
  values,
  keptIn: undefined,
  isPassword: false,
})
test.each([
  ['one of its own', [secret('A', random)], 'ok'],
  ['a short one', [secret('A', 'fifteen-letters')], 'problem'],
  ['one that is rather short', [secret('A', random.slice(0, 20))], 'warning'],
  ['an example', [secret('A', 'At-least-16-random-characters')], 'problem'],
  ['one letter', [secret('A', 'x'.repeat(40))], 'problem'],
  ['two during a rotation', [secret('A', random, `${random}2`)], 'warning'],
  ['an old example that is still accepted', [secret('A', random, 'the-secret-of-this-key')], 'problem'],
  ['the same in two places', [secret('A', random), secret('B', random)], 'problem'],
  ['one in the database', [{ ...secret('A'), keptIn: 'the database' }], 'warning'],
])('[R50] secrets: %s', (_, all, level) => {
  const findings = judgeSecrets(all)
  expect(worst(findings)).toBe(level)
  expect(JSON.stringify(findings)).not.toContain(random.slice(0, 12))
})

test.each([
  ['https://u:geheim@id.example.org', 'https://id.example.org'],
  ['https://u:geheim@id.example.org/realm/@me', 'https://id.example.org/realm/@me'],
  ['https:///u:ge@heim@id.example.org/', 'https:///id.example.org/'],
  ['https://id.example.org/@me', 'https://id.example.org/@me'],
])('[R50] of the issuer %s, findings show %s', (issuer, shown) => {
  for (const answer of ['sound', 'another issuer', { code: 'ENOTFOUND' }] as const) {
    const { found } = judgeIdentity({ kind: 'provider', issuer, answer })
    expect(found).toContain(`${shown} `)
    expect(found).not.toMatch(/geheim|heim@/)
  }
})

const hosted = { publicUrl: 'https://study.example.org', isHosted: true, trustProxy: '1', isRunning: true }
test.each([
  ['a trusted proxy', { client: 'proxy', isForwarded: true, protocol: 'https' }, 'ok'],
  ['one that does not tell about TLS', { client: 'proxy', isForwarded: true, protocol: 'http' }, 'warning'],
  ['a client that is believed', { client: 'caller', isForwarded: true, protocol: 'https' }, 'problem'],
  ['one that is not trusted', { client: 'connection', isForwarded: true, protocol: 'https' }, 'problem'],
  ['no proxy', { client: 'connection', isForwarded: false, protocol: 'https' }, 'ok'],
] as const)('[R50] proxy: %s', (_, view, level) => {
  expect(worst(judgeProxy({ ...hosted, view }))).toBe(level)
})

test('[R50] a public address without a server behind it is a problem only while the server runs', () => {
  const view = { code: 'ECONNREFUSED' }
  expect(worst(judgeProxy({ ...hosted, view }))).toBe('problem')
  expect(worst(judgeProxy({ ...hosted, view, isRunning: false }))).toBe('warning')
})

const known = [
  'SESSION_SECRET',
  'OIDC_ISSUER',
  'DATABASE_URL',
  'TRUST_PROXY',
  'REDIS_URL',
  'S3_REGION',
  'HOST',
]
test.each([
  ['SESION_SECRET', 'SESSION_SECRET'],
  ['OIDC_ISSUERS', 'OIDC_ISSUER'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['TRUST_PORXY', 'TRUST_PROXY'],
  ['redis_url', undefined],
  ['HOSTNAME', undefined],
  ['AWS_REGION', undefined],
])('[R50] the variable %s is probably %s', (name, meant) => {
  const findings = judgeNames({ [name]: 'a value that is not shown', PATH: '/bin' }, known)
  expect(findings.map(({ level, mend }) => [level, mend])).toEqual(
    meant === undefined ? [] : [['warning', `Call it ${meant} if you meant that.`]],
  )
  expect(JSON.stringify(findings)).not.toContain('not shown')
  if (meant) expect(judgeNames({ [name]: 'x', [meant]: 'y' }, known)).toEqual([])
})
