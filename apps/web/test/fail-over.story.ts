import { createApi, createResearcher, patienceWithDatabase, startCluster } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { pair } from './studies.ts'

const browser = useBrowser()

test('[R30] two people in real browsers continue automatically when the pod of their room is killed', async () => {
  const cluster = await startCluster({ pods: 2, router: true, web: true, env: patienceWithDatabase })
  try {
    const front = cluster.router?.http ?? ''
    const researcher = await createResearcher(createApi(front))
    const experimentId = await researcher.openExperiment({
      ...pair,
      dropout: { policy: 'wait', graceMs: 60_000 },
    })
    const people = [await createPersonWithBrowser(browser()), await createPersonWithBrowser(browser())]
    const [ann, ben] = people
    if (!ann || !ben) throw new Error('two people')
    const say = async (page: typeof ann.page, text: string) => {
      await page.getByLabel('Your message').fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
    }
    await Promise.all(people.map(({ page }) => page.goto(`${front}/join/${experimentId}`)))
    await Promise.all(people.map(({ page }) => page.getByLabel('Your message').waitFor()))
    await say(ann.page, 'before the crash')
    await ben.page.getByText('before the crash').waitFor()

    const roomId = await ann.page.evaluate(
      () =>
        Object.keys(localStorage)
          .find((key) => key.startsWith('atrium.experiment-of.'))
          ?.slice(21) ?? '',
    )
    const former = await podOf(front, roomId)
    const owner = cluster.servers.find(({ env }) => env.POD_NAME === former)
    expect(owner, `the pod of ${roomId} is ${former}`).toBeDefined()
    await owner?.kill()

    // Sent while no instance has the room: it waits in the page and arrives after the take-over.
    await say(ben.page, 'after the crash')
    await ann.page.getByText('after the crash').waitFor()
    expect(await podOf(front, roomId)).not.toBe(former)
    for (const { page } of people) {
      await page.getByLabel('Your number').fill('7')
      await page.getByRole('button', { name: 'Submit' }).click()
    }
    for (const { page } of people) await page.getByRole('button', { name: 'Continue' }).click()
    await Promise.all(people.map(({ page }) => page.getByText('PAIR', { exact: true }).waitFor()))

    const lines = await researcher.exported(experimentId)
    const numbers = lines.filter(
      ({ componentId, type }) => componentId === 'number' && type === 'component_response',
    )
    expect(numbers.map(({ data }) => data.value)).toEqual([7, 7])
    const said = lines.filter(({ type }) => type === 'chat_message')
    expect(new Set(said.map(({ data }) => data.text))).toEqual(
      new Set(['before the crash', 'after the crash']),
    )
    await Promise.all(people.map(({ leave }) => leave()))
  } finally {
    await cluster.stop()
  }
})

/** By its name in the router’s redirect. */
async function podOf(front: string, roomId: string): Promise<string> {
  const page = await fetch(`${front}/experiment/${roomId}`, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  })
  return new URL(page.headers.get('location') ?? '', front).searchParams.get('pod') ?? ''
}
