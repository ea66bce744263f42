import { describeInOneMode, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component } from './studies.ts'

const hourMs = 3_600_000
/** Times are rounded. */
const roundingMs = 2

/** Long enough that the second question is below the window of a phone. */
const longText = Array.from({ length: 60 }, (_, line) => `Paragraph ${line + 1} of a long text.`).join('\n\n')
const choice = (id: string, question: string) =>
  component(id, 'multiple_choice', { label: question, options: ['well', 'so-so', 'badly'] })
const study = {
  name: 'Times',
  states: [
    {
      id: 'ask',
      components: [
        choice('first', 'How did you sleep?'),
        component('text', 'text', { text: longText }),
        choice('second', 'And the night before?'),
      ],
    },
  ],
}

describeInOneMode('what a page measures of answers', (world) => {
  const browser = useBrowser()

  test('[R88] times begin when a question can be seen, survive a reload, and do not follow a clock that is wrong', async () => {
    const { link, exported } = await openStudy(world(), study)
    const { page, leave } = await createPersonWithBrowser(browser())
    // The device’s clock is an hour slow.
    await page.addInitScript((slowMs) => {
      const now = Date.now
      Date.now = () => now() - slowMs
    }, hourMs)
    await page.goto(link)
    const [first, second] = ['How did you sleep?', 'And the night before?'].map((name) =>
      page.getByRole('group', { name }),
    )
    await first?.getByLabel('well', { exact: true }).check()
    await first?.getByLabel('badly').check()
    const connections = async () => (await exported()).filter(({ type }) => type === 'connected').length
    await page.reload()
    await first?.getByLabel('badly').waitFor()
    await waitUntil(async () => (await connections()) === 2 || 'not connected again')
    await second?.getByLabel('so-so').check()
    await first?.getByLabel('so-so').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'End of the study' }).waitFor()

    const lines = await exported()
    const at = (type: string, index: number) =>
      Date.parse(lines.filter((line) => line.type === type)[index]?.serverTime ?? '')
    const answer = (id: string) => {
      const line = lines.find(({ type, componentId }) => type === 'component_response' && componentId === id)
      if (!line) throw new Error(`no answer to ${id}`)
      const { responseTime, firstInteractionMs, changes } = line.data as Record<string, number>
      return { line, responseTime, firstInteractionMs, changes, errorMs: line.clockErrorMs ?? Number.NaN }
    }
    const [one, two] = [answer('first'), answer('second')]
    expect([one.changes, two.changes]).toEqual([2, 0])
    for (const { line, errorMs } of [one, two]) {
      expect(Math.abs((line.clockOffsetMs ?? Number.NaN) - hourMs)).toBeLessThanOrEqual(errorMs)
      expect(line.flags).toEqual([])
    }
    // From the first paint, before the reload, to the last change, after it; never from before the state.
    const lostMs = at('connected', 1) - at('disconnected', 0)
    const inStateMs = Date.parse(one.line.serverTime) - at('state_transition', 0)
    expect(one.responseTime).toBeGreaterThanOrEqual(lostMs - one.errorMs)
    expect(one.responseTime).toBeLessThanOrEqual(inStateMs + one.errorMs)
    expect(one.firstInteractionMs).toBeLessThanOrEqual(one.responseTime ?? 0)
    // The second question came into view after the first had been touched, and was answered before it.
    const sinceFirstTouch = (one.responseTime ?? 0) - (one.firstInteractionMs ?? 0)
    expect(two.responseTime).toBeLessThanOrEqual(sinceFirstTouch + roundingMs + one.errorMs)
    await leave()
  })
})
