import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { experimentRoutes, keyRoutes } from '@atrium/contract'
import {
  createApi,
  createResearcher,
  createTestDatabase,
  type Mode,
  openRoomSocket,
  patience,
  startObjectStore,
  startServer,
  startWorld,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, onTestFinished } from 'vitest'
import { endlessGame, startPlayers } from '../rooms/endless-game.ts'
import { readRows } from '../rooms/rows.ts'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { folderForTest, objectsOf, runCommand, storeObjects } from './transfer-stage.ts'

const videos = {
  'videos/one/original/one.mp4': 'a video',
  'videos/one/hls/../odd key.ts': 'a segment',
  'videos/empty': '',
}

/** Plays, backs up while everybody acts, loses everything, and goes on where the backup was made. */
export async function destroyAndRestore(mode: Mode): Promise<void> {
  const before = await startWorld(mode, { servers: 1, objects: true, env: patience })
  const table = tableIn(() => before)
  const { env } = before.any()
  if (mode === 'cluster') await storeObjects(env, videos)
  else {
    // One process at a time may write to the folder of the embedded store.
    await before.any().end()
    await storeObjects(env, videos)
    await before.any().restart()
  }
  const experimentId = await table.open(endlessGame)
  const { roomId, sessions } = await table.seat(experimentId, 4)
  const players = startPlayers(sessions, table.connect)
  await players.progress(5)

  const api = createApi(before.any().http)
  const { token } = await createResearcher(api)
  const body = { name: 'Kept', access: 'read' }
  const { key } = succeeded(await api.call(keyRoutes.create, { token, body }))

  const promised = [...players.acknowledged]
  const backup = join(folderForTest(), 'backup')
  const made = await runCommand('backup', [backup], env)
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const others = players.acknowledged.length
  await waitUntil(() => players.acknowledged.length > others || 'the game stands still after the backup')
  await players.stop()
  expect(players.faults).toEqual([])

  await before.any().kill()
  rmSync(before.any().dataDir, { recursive: true, force: true })
  const dataDir = join(folderForTest(), 'data')
  const fresh: Record<string, string> = {
    DATA_DIR: dataDir,
    ...(mode === 'cluster' && (await emptyServices())),
  }
  const restored = await runCommand('restore', [backup], { ...env, ...fresh })
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(Object.keys(await objectsOf({ ...env, ...fresh })).sort()).toEqual(Object.keys(videos).sort())
  expect(existsSync(join(dataDir, 'atrium.db'))).toBe(mode === 'embedded')

  const after = await startServer({ dataDir, env: { ...env, ...fresh } })
  onTestFinished(async () => void (await after.stop()))
  const databaseUrl = fresh.DATABASE_URL
  const stored = await readRows(
    { ...before, servers: [after], ...(databaseUrl !== undefined && { databaseUrl }) },
    `select actor, action_id, seq from room_actions where room_id = '${roomId}' order by seq`,
  )
  expect(stored.map(({ seq }) => Number(seq))).toEqual(stored.map((_, index) => index + 1))
  const kept = new Set(stored.map(({ actor, action_id }) => `${actor} ${action_id}`))
  expect(promised.filter((one) => !kept.has(`${one.participantId} ${one.actionId}`))).toEqual([])

  // The same people, with the sessions and tokens that they had.
  for (const session of sessions) {
    const socket = await openRoomSocket(after.http, session)
    expect(socket.snapshot().status).toBe('running')
    const said = { actionId: 'after the restore', text: 'still here' }
    expect(await acknowledged(socket.act('send_message', said))).toBeGreaterThan(stored.length)
    socket.close()
  }
  // And the researchers' scripts.
  expect((await createApi(after.http).call(experimentRoutes.list, { token: key })).status).toBe(200)
  await before.stop().catch(() => undefined) // Its server was killed above.
}

async function emptyServices(): Promise<Record<string, string>> {
  const store = await startObjectStore()
  onTestFinished(async () => void (await store.stop()))
  return { DATABASE_URL: await createTestDatabase(), ...store.s3Env }
}
