import {
  createApi,
  createPerson,
  openRoomSocket,
  openWaitingSocket,
  type RoomSocket,
  startWorld,
  type World,
} from '@atrium/testkit'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const others = 60

test('[RM260] [RM262] a page in a large room says how many are away and ready, and lists nobody', async () => {
  const study = await openStudy(world, {
    name: 'A lecture',
    states: [
      {
        id: 'talk',
        name: 'Listen',
        instructions: 'There are {{participants}} of you.',
        components: [{ id: 'chat', type: 'chat' }],
      },
      { id: 'bye', components: [] },
    ],
    matching: { groupSize: others + 1 },
    dropout: { policy: 'wait', graceMs: 600_000 },
  })
  const { http } = world.any()
  const api = createApi(http)
  const sockets: RoomSocket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.close()
  })
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), { width: 390 })
  await page.goto(study.link)
  const seated = Array.from({ length: others }, async () => {
    const session = await (await createPerson(api)).join(study.experimentId)
    const waiting = await openWaitingSocket(http, session)
    const { roomId } = await waiting.assigned()
    waiting.close()
    return await openRoomSocket(http, { ...session, roomId })
  })
  sockets.push(...(await Promise.all(seated)))
  await page.getByText(`There are ${others + 1} of you.`).waitFor()
  const [speaker, leaver] = sockets
  if (!speaker || !leaver) throw new Error('nobody came')
  await speaker.act('send_message', { text: 'Good morning' })
  await page.getByText('Good morning').waitFor()
  leaver.close()
  await page.getByText(`1 of ${others + 1} people is not here at the moment.`).waitFor()
  for (const socket of sockets.slice(2, 12)) expect((await socket.act('ready')).ok).toBe(true)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(`11 of ${others + 1}`).waitFor()
  await expectGoodEverywhere(page, 'a page in a large room')
  expect(pageErrors).toEqual([])
  await leave()
})
