import { type openBrowser, pace, waitUntil } from '@atrium/testkit'

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openBrowser>>['newPage']>>

/** As quick as somebody types who types quickly. */
export const keyEveryMs = 80
const keysPerRound = 120

/** Letters, and each taken back, so that the text stays short. */
export async function typing(page: Page): Promise<number[]> {
  await taken(page, 0)
  for (let key = 0; key < keysPerRound; key++) {
    await page.keyboard.press(key % 2 === 1 ? 'Backspace' : 'abcdefghij'.charAt(key % 10))
    await pace(keyEveryMs)
  }
  return await taken(page, keysPerRound)
}

type Watched = { inputLatenciesMs: number[] }

/** Notes when the frame after each key or click has been drawn. As text, because it speaks of what only browsers have. */
export const watchInput = async (page: Page): Promise<void> =>
  await page.evaluate(`
    globalThis.inputLatenciesMs = []
    for (const type of ['keydown', 'click'])
      addEventListener(type, ({ timeStamp }) => requestAnimationFrame(() => {
        // Comes once the frame has been drawn.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => inputLatenciesMs.push(performance.now() - timeStamp)
        port2.postMessage(null)
      }), { capture: true })`)

/** The latencies since the last call, once there are so many. */
export async function taken(page: Page, count: number): Promise<number[]> {
  await waitUntil(async () => {
    const noted = await page.evaluate(() => (globalThis as unknown as Watched).inputLatenciesMs.length)
    return noted >= count || `${noted} of ${count} keys were drawn`
  })
  return await page.evaluate(() => (globalThis as unknown as Watched).inputLatenciesMs.splice(0))
}

/** How long the page’s own thread has been busy since, in milliseconds, without what it waited for the processor. */
export async function threadMsOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taskMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  }
  const before = await taskMs()
  return async () => (await taskMs()) - before
}
