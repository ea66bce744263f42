import { operationsRoutes } from '@atrium/contract'
import { keys } from '@atrium/coordination'
import { startServer, startTcpGate, startWorld, succeeded, type World, waitUntil } from '@atrium/testkit'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readRows } from '../rooms/rows.ts'
import { holdRows } from '../stores/engines.ts'
import { arenaIn } from './arena.ts'

const env = { MAX_ROOMS_PER_POD: '100', MAX_PARTICIPANTS_PER_POD: '400', METRICS_HEARTBEAT_INTERVAL: '500' }

describe('Games on three pods behind a router', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld('cluster', { servers: 3, router: true, env })
  })
  afterAll(() => world?.stop())
  const arena = arenaIn(() => world)
  const redis = () => {
    const client = new Redis(world.redis?.url ?? '')
    onTestFinished(() => client.disconnect())
    return client
  }

  /** Resolves when two more statements have waited for a lock; the second is sent after the first has failed. */
  async function waitingAgain(): Promise<void> {
    const statements = async () =>
      (
        await readRows(
          world,
          `select pid, query_start from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).map((row) => `${row.pid} ${row.query_start}`)
    const before = await statements()
    const seen = new Set<string>()
    await waitUntil(async () => {
      for (const one of await statements()) if (!before.includes(one)) seen.add(one)
      return seen.size >= 2 || `${seen.size} statements have waited`
    })
  }

  test('[I1,I2,I5] a pod is killed: another takes over its games, and nothing acknowledged is lost', async () => {
    const games = await Promise.all([arena.play(), arena.play(), arena.play()])
    const [first] = games
    const from = await arena.epochOf(first.roomId)
    const victim = await first.owner()
    await victim.kill()
    await first.moved(from)
    expect((await arena.epochOf(first.roomId)).podId).not.toBe(from.podId)
    await waitUntil(async () => {
      const cluster = succeeded(await arena.api.call(operationsRoutes.cluster))
      return (cluster.totalPods === 3 && cluster.healthyPods === 2) || JSON.stringify(cluster)
    })
    await victim.restart()
    for (const game of games) await game.finish()
  })

  test.each([
    [
      'record',
      'select t.* from event_streams t join sessions using (session_id) join participants using (participant_id)',
    ],
    ['room', 'select * from rooms'],
  ])(
    '[I1,I5] a pod is gone, but its %s stays locked for a while: then its game continues elsewhere',
    async (_what, rows) => {
      const game = await arena.play()
      const from = await arena.epochOf(game.roomId)
      const victim = await game.owner()
      const lock = await holdRows(world.databaseUrl ?? '', `${rows} where room_id = '${game.roomId}'`)
      await victim.kill()
      // The instance that takes over waits for the lock, gives up, and tries again.
      await waitingAgain()
      await lock.release()
      await game.moved(from)
      await victim.restart()
      await game.finish()
    },
    120_000,
  )

  test('[I5] a pod that was paused past its lease can write nothing when it resumes', async () => {
    const game = await arena.play()
    const from = await arena.epochOf(game.roomId)
    const stopped = await game.owner()
    stopped.pause()
    await game.moved(from)
    stopped.resume()
    const taken = await arena.epochOf(game.roomId)
    await game.players.progress(10)
    await game.finish()
    expect((await arena.epochOf(game.roomId)).epoch).toBe(taken.epoch)
  })

  test('[I5] a pod that is cut off from Redis leaves its games to those who take them over', async () => {
    const gate = await startTcpGate(Number(new URL(world.redis?.url ?? '').port))
    onTestFinished(() => gate.stop())
    const name = 'pod-cut'
    const pod = await startServer({
      env: {
        ...world.servers[0]?.env,
        POD_NAME: name,
        PORT: '0',
        METRICS_PORT: '0',
        REDIS_URL: `redis://127.0.0.1:${gate.port}`,
      },
    })
    onTestFinished(() => pod.stop().then(() => undefined))
    const game = await arena.playOn(pod)
    const from = await arena.epochOf(game.roomId)
    expect(from.podId).toBe(name)
    gate.close()
    await game.moved(from)
    expect((await arena.epochOf(game.roomId)).podId).not.toBe(name)
    gate.open()
    await game.finish()
    await pod.end()
    // The router must not send anybody else to it.
    await waitUntil(async () => {
      const { backends } = (await (await fetch(`${world.front().http}/health/router`)).json()) as {
        backends: number
      }
      return backends === world.servers.length || `${backends} backends`
    })
  })

  test('[I4,I5] Redis loses everything: the directory is rebuilt, and games and waiting continue', async () => {
    const game = await arena.play()
    await redis().flushall()
    await game.players.progress(10)
    await waitUntil(async () => {
      const found = JSON.parse((await redis().get(keys.roomPod(game.roomId))) ?? 'null')
      return found?.podId === (await arena.epochOf(game.roomId)).podId || 'the room is not in the directory'
    })
    await game.finish()
  })

  test('[I4,I5] Redis is killed and comes back empty: games continue', async () => {
    const game = await arena.play()
    await world.redis?.kill()
    await game.players.progress(10)
    await world.redis?.restart()
    await game.finish()
  })

  test('[I1] every pod in turn is stopped by SIGTERM and restarted: games continue, nothing is lost', async () => {
    const games = await Promise.all([arena.play(), arena.play()])
    for (const pod of world.servers) {
      expect(await pod.end()).toBe(0)
      for (const game of games) await game.players.progress(3)
      await pod.restart()
    }
    for (const game of games) await game.finish()
  })
})
