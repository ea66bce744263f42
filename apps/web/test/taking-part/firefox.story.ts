import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, test } from 'vitest'
import type { TestBrowser } from './browser-window.ts'
import { openFirefox } from './firefox.ts'
import { tellExample } from './tell-stories.ts'

let world: World
let browser: TestBrowser
beforeAll(async () => {
  world = await startWorld('embedded')
  browser = await openFirefox()
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
})

// The other stories in Firefox are in firefox.long.ts.
test('in Firefox, from the link to the code', async () => {
  await tellExample(world, browser, 'quick-survey')
})
