import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createTestDatabase,
  openRoomSocket,
  patience,
  startObjectStore,
  startServer,
  startWorld,
  type World,
} from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { expectNothingLost } from '../cluster/ledger.ts'
import { endlessGame, startPlayers } from '../rooms/endless-game.ts'
import { tableIn } from '../rooms/table.ts'
import { contentsOf, folderForTest, objectsOf, runCommand, storeObjects } from './transfer-stage.ts'

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

test('[R50] half a game is played embedded, the rest in a cluster by the same people; nothing is lost or doubled', async () => {
  const dataDir = join(folderForTest(), 'data')
  await storeObjects({ DATA_DIR: dataDir }, { 'videos/one/original/film.mp4': 'a video' })
  const alone = await startServer({ dataDir })
  onTestFinished(() => void alone.stop().catch(() => undefined))
  const store = await startObjectStore()
  onTestFinished(async () => void (await store.stop()))
  let front = alone.http
  const table = tableIn(() => ({ servers: [alone] }) as unknown as World)
  const { roomId, sessions } = await table.seat(await table.open(endlessGame), 4)
  const players = startPlayers(sessions, (session) => openRoomSocket(front, session))
  await players.progress(5)

  const databaseUrl = await createTestDatabase()
  const { S3_ENDPOINT = '', ...s3Env } = store.s3Env
  const move = (...args: string[]) =>
    runCommand('move', ['--to', databaseUrl, ...args], { ...alone.env, ...s3Env })
  const whileRunning = await move('--objects', S3_ENDPOINT)
  expect(whileRunning).toMatchObject({ code: 3, stdout: '' })
  expect(whileRunning.stderr).toContain('stop it first')

  await alone.end()
  const source = { DATA_DIR: dataDir }
  const [file, contents] = [hashOf(join(dataDir, 'atrium.db')), await contentsOf(source)]
  expect((await runCommand('move', ['--to', databaseUrl], alone.env)).stderr).toContain('--objects')
  expect(await move('--objects', S3_ENDPOINT)).toMatchObject({ code: 0, stderr: '' })
  expect(await contentsOf({ DATABASE_URL: databaseUrl })).toEqual(contents)
  expect([hashOf(join(dataDir, 'atrium.db')), await contentsOf(source)]).toEqual([file, contents])
  expect(Object.keys(await objectsOf(source))).toEqual(['videos/one/original/film.mp4'])
  expect(await objectsOf(store.s3Env)).toEqual(await objectsOf(source))
  expect(await move('--objects', S3_ENDPOINT)).toMatchObject({ code: 3, stdout: '' })

  // Without SESSION_SECRET: the tokens of the participants were signed with the one that was moved.
  const env = { ...patience, SESSION_SECRET: '', ...store.s3Env }
  const cluster = await startWorld('cluster', { databaseUrl, router: true, env })
  onTestFinished(() => cluster.stop())
  front = cluster.front().http
  await players.progress(5)
  await players.stop()
  await expectNothingLost(cluster, roomId, players)
})
