import { tmpdir } from 'node:os'
import type { Config } from '../config/config.ts'
import { type Finding, ok } from './finding.ts'
import { gatherDisk } from './gather/disk.ts'
import { gatherFfmpeg } from './gather/ffmpeg.ts'
import { gatherPorts } from './gather/ports.ts'
import { gatherPostgres } from './gather/postgres.ts'
import { gatherIdentity, gatherProxy } from './gather/public-address.ts'
import { gatherRedis } from './gather/redis.ts'
import { gatherSecretFiles, gatherSecrets } from './gather/secrets.ts'
import { gatherSqlite } from './gather/sqlite.ts'
import { type ClockFacts, judgeClock } from './judge/clock.ts'
import { judgePostgres, judgeSqlite } from './judge/database.ts'
import { judgeDisk } from './judge/disk.ts'
import { judgeFfmpeg } from './judge/ffmpeg.ts'
import { judgeIdentity } from './judge/identity.ts'
import { judgePort } from './judge/machine.ts'
import { judgeObjectStore } from './judge/object-store.ts'
import { judgeProxy } from './judge/proxy.ts'
import { judgeRedis } from './judge/redis.ts'
import { judgeSecretFile, judgeSecrets } from './judge/secrets.ts'
import type { Check } from './run-checks.ts'

const withoutVideos = ok(
  'object store',
  'There is none, so nobody can upload videos: several instances need one that they share (docs/video.md).',
)

/** What there is to check in an installation with this configuration. */
export function checksFor(config: Config, env: NodeJS.ProcessEnv): Check[] {
  const { databaseUrl, redisUrl, objectStore, dataDir } = config
  return [
    { name: 'ports', run: async (signal) => (await gatherPorts(config, signal)).map(judgePort) },
    {
      name: 'secrets',
      run: async () => [
        ...judgeSecrets(gatherSecrets(env, config)),
        ...(await gatherSecretFiles(config)).map(judgeSecretFile),
      ],
    },
    {
      name: 'ffmpeg',
      run: async (signal) => judgeFfmpeg(await gatherFfmpeg(config, env.PATH ?? '', signal)),
    },
    ...(databaseUrl
      ? [
          {
            name: 'database',
            run: async () => withClock(await gatherPostgres(databaseUrl), judgePostgres),
          },
          // Small uploads are kept there while they arrive.
          { name: 'TMPDIR', run: async () => judgeDisk(await gatherDisk('TMPDIR', tmpdir(), false)) },
        ]
      : [
          { name: 'DATA_DIR', run: async () => judgeDisk(await gatherDisk('DATA_DIR', dataDir, true)) },
          { name: 'database', run: async () => judgeSqlite(gatherSqlite(dataDir)) },
        ]),
    ...(redisUrl
      ? [{ name: 'Redis', run: async () => withClock(await gatherRedis(redisUrl), judgeRedis) }]
      : []),
    ...(objectStore
      ? [
          {
            name: 'object store',
            async run(signal: AbortSignal) {
              // Loaded only where it is used: this SDK takes long to load.
              const { gatherObjectStore } = await import('./gather/object-store.ts')
              return withClock(await gatherObjectStore(config, objectStore, signal), judgeObjectStore)
            },
          },
        ]
      : config.horizontalScaling
        ? [{ name: 'object store', run: async () => [withoutVideos] }]
        : []),
    {
      name: 'identity',
      run: async (signal) =>
        withClock(await gatherIdentity(config, signal), (facts) => [judgeIdentity(facts)]),
    },
    { name: 'proxy', run: async (signal) => judgeProxy(await gatherProxy(config, signal)) },
  ]
}

const withClock = <Facts>(
  { facts, clock }: { facts: Facts; clock: ClockFacts | undefined },
  judge: (facts: Facts) => Finding[],
): Finding[] => [...judge(facts), ...(clock ? [judgeClock(clock)] : [])]
