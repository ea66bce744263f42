import { readFileSync } from 'node:fs'
import type { Cluster } from '@atrium/testkit'
import { Redis } from 'ioredis'
import pg from 'pg'
import { childrenOf, cpuMicrosOf } from '../../harness/measure.ts'

/** What the parts of a cluster have used so far; CPU time in seconds. */
export interface Reading {
  at: number
  podSeconds: number[]
  routerSeconds: number
  redisSeconds: number
  postgresSeconds: number
  /** As `INFO` counts them, including those within scripts. */
  redisCommands: number
  commits: number
}

/** What they use per second. */
export interface Rates {
  /** Of each pod. */
  podCores: number[]
  routerCores: number
  redisCores: number
  postgresCores: number
  redisCommands: number
  commits: number
}

export async function openGauges({ servers, router, redis, databaseUrl }: Cluster) {
  const client = new Redis(redis.url)
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const numberIn = async (section: string, field: string): Promise<number> =>
    Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(await client.info(section))?.[1])
  const redisPid = await numberIn('server', 'process_id')
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postgresPid = parentOf(rows[0]?.pid ?? 0)

  async function commits(): Promise<number> {
    const query = 'select xact_commit from pg_stat_database where datname = current_database()'
    const { rows } = await database.query<{ xact_commit: string }>(query)
    return Number(rows[0]?.xact_commit)
  }

  return {
    async read(): Promise<Reading> {
      return {
        redisCommands: await numberIn('stats', 'total_commands_processed'),
        commits: await commits(),
        at: performance.now(),
        podSeconds: servers.map(({ pid }) => cpuMicrosOf(pid) / 1e6),
        routerSeconds: router ? cpuMicrosOf(router.pid) / 1e6 : 0,
        redisSeconds: cpuMicrosOf(redisPid) / 1e6,
        postgresSeconds: [postgresPid, ...childrenOf(postgresPid)].reduce(
          (total, pid) => total + secondsIfRunning(pid),
          0,
        ),
      }
    },
    podRssBytes: (): number[] => servers.map(({ pid }) => kilobytesIn(pid, 'VmRSS') * 1024),
    async close(): Promise<void> {
      client.disconnect()
      await database.end()
    },
  }
}

export function ratesBetween(from: Reading, to: Reading): Rates {
  const seconds = (to.at - from.at) / 1000
  const rate = (pick: (reading: Reading) => number): number => (pick(to) - pick(from)) / seconds
  return {
    podCores: from.podSeconds.map((_, pod) => rate(({ podSeconds }) => podSeconds[pod] ?? Number.NaN)),
    routerCores: rate(({ routerSeconds }) => routerSeconds),
    redisCores: rate(({ redisSeconds }) => redisSeconds),
    postgresCores: rate(({ postgresSeconds }) => postgresSeconds),
    redisCommands: rate(({ redisCommands }) => redisCommands),
    commits: rate(({ commits }) => commits),
  }
}

/** The time of a connection that has just been closed is counted in its parent. */
function secondsIfRunning(pid: number): number {
  try {
    return cpuMicrosOf(pid) / 1e6
  } catch {
    return 0
  }
}

const statusOf = (pid: number, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** PostgreSQL serves each connection with a child of its main process. */
const parentOf = (pid: number): number => statusOf(pid, 'PPid')
const kilobytesIn = statusOf
