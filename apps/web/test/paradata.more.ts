import { type ExperimentDefinition, paradataKinds } from '@atrium/contract'
import { describeInOneMode, type ExportedLine, waitUntil } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { collected } from '../src/text/en/participant-collected.ts'
import { pages } from '../src/text/en/participant-pages.ts'
import { views } from '../src/text/en/participant-views.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component } from './studies.ts'

const pasted = 'Nobody but the answer has this sentence 😀.'
const study: ExperimentDefinition = {
  name: 'Paradata',
  consent: { text: 'We also look at how you answer.' },
  states: [
    {
      id: 'ask',
      components: [
        component('source', 'text_input', { label: 'Your own words', kind: 'paragraph' }),
        component('essay', 'text_input', { label: 'Your essay', kind: 'paragraph' }),
        component('sleep', 'multiple_choice', { label: 'Well?', options: ['yes', 'no'] }),
        component('own', 'custom_html', { html: '<input aria-label="Inside">' }),
      ],
    },
  ],
}

/** The browser of a test says that every page is seen and has the focus, so the page is told otherwise. */
const leavePage = (page: Page, how: 'tab' | 'window') =>
  page.evaluate((isTab) => {
    const away = { configurable: true, value: isTab ? 'hidden' : 'visible' }
    Object.defineProperty(document, 'visibilityState', away)
    Object.defineProperty(document, 'hasFocus', { configurable: true, value: () => false })
    window.dispatchEvent(new Event('blur'))
    if (isTab) document.dispatchEvent(new Event('visibilitychange'))
    // timing: no time has to pass, but the page looks a turn later where the focus is.
    return new Promise<void>((resolve) => setTimeout(resolve))
  }, how === 'tab')

const comeBack = (page: Page) =>
  page.evaluate(() => {
    const wasHidden = document.visibilityState === 'hidden'
    Reflect.deleteProperty(document, 'visibilityState')
    Reflect.deleteProperty(document, 'hasFocus')
    if (wasHidden) document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('focus'))
  })

const dataOf = (lines: readonly ExportedLine[], id: string) => {
  const line = lines.find(({ type, componentId }) => type === 'component_response' && componentId === id)
  if (!line) throw new Error(`no answer to ${id}`)
  return line.data as { value: unknown; responseTime: number; paradata?: Record<string, number> }
}

const typesOf = (lines: readonly ExportedLine[], ...types: string[]) =>
  lines.map(({ type }) => type).filter((type) => types.includes(type))

/** Somebody who looks things up elsewhere and pastes what they have found. */
async function answer(page: Page, afterReload: () => Promise<unknown>): Promise<void> {
  await page.getByRole('button', { name: views.consent.agree }).click()
  const [source, essay] = [page.getByLabel('Your own words'), page.getByLabel('Your essay')]
  await source.fill(pasted)
  await source.press('ControlOrMeta+a')
  await source.press('ControlOrMeta+x')
  await source.press('A')
  await leavePage(page, 'window')
  await comeBack(page)
  await essay.pressSequentially('Helk')
  await essay.press('Backspace')
  await page.reload()
  await afterReload()
  await essay.press('End')
  await essay.pressSequentially('lo')
  await essay.press('Shift+ArrowLeft')
  await essay.press('ArrowRight')
  await essay.press('ControlOrMeta+v')
  await expect.poll(() => essay.inputValue()).toBe(`Hello${pasted}`)
  await leavePage(page, 'tab')
  await comeBack(page)
  await page.frameLocator('[data-component="own"] iframe').getByLabel('Inside').pressSequentially('unseen')
  await page.getByLabel('yes').check()
  await page.getByRole('button', { name: pages.state.continue }).click()
  await page.getByRole('heading', { name: pages.done.title }).waitFor()
}

describeInOneMode('paradata on the page of a participant', (world) => {
  const browser = useBrowser()

  async function play(definition: ExperimentDefinition) {
    const { link, exported } = await openStudy(world(), definition)
    const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), { locale: 'en-GB' })
    const scripts: string[] = []
    page.on('request', (request) => void scripts.push(request.url()))
    await page.goto(link)
    await page.getByRole('button', { name: views.consent.agree }).waitFor()
    const told = await page.getByRole('listitem').allTextContents()
    const connections = async () => typesOf(await exported(), 'connected').length
    await answer(page, () => waitUntil(async () => (await connections()) === 2 || 'not connected again'))
    expect(pageErrors).toEqual([])
    await leave()
    return { lines: await exported(), told, scripts }
  }

  test('[R93] what people are told of is measured, across a reload, and nothing of what they paste or type is kept', async () => {
    const { lines, told } = await play({ ...study, paradata: [...paradataKinds] })
    expect(told).toEqual(paradataKinds.map((kind) => collected.kinds[kind]))

    const essay = dataOf(lines, 'essay')
    const {
      keyIntervalMedianMs = 0,
      longestPauseMs = 0,
      focusLostMs,
      networkDelayMs,
      ...counts
    } = essay.paradata ?? {}
    expect(counts).toEqual({
      ...{ focusLostCount: 2, pasteCount: 1, pastedCharacters: [...pasted].length },
      ...{ keystrokes: 7, deletions: 1 },
    })
    expect(keyIntervalMedianMs).toBeLessThanOrEqual(longestPauseMs)
    expect(longestPauseMs).toBeLessThanOrEqual(essay.responseTime)
    expect(focusLostMs).toBeGreaterThanOrEqual(0)
    expect(networkDelayMs).toBeGreaterThanOrEqual(0)
    // A choice has no keys and nothing that could be pasted.
    expect(Object.keys(dataOf(lines, 'sleep').paradata ?? {}).sort()).toEqual([
      'focusLostCount',
      'focusLostMs',
      'networkDelayMs',
    ])
    expect(JSON.stringify(lines).split(pasted)).toHaveLength(2)

    // One for each time that the page was loaded.
    const devices = lines.filter(({ type }) => type === 'device_report')
    expect(devices).toHaveLength(2)
    expect(devices[0]?.data).toMatchObject({
      ...{ deviceClass: 'computer', browser: 'chrome', inputKind: 'pointer', deviceLanguage: 'en-GB' },
      ...{ viewportWidth: 390, viewportHeight: 844, pixelRatio: 1 },
    })
    expect(typesOf(lines, 'page_hidden', 'page_visible')).toEqual(['page_hidden', 'page_visible'])
    const first = (name: string) => lines.findIndex(({ type }) => type === name)
    expect(first('consent_given')).toBeLessThan(first('device_report'))
  })

  test('[R93] a study without paradata measures none, and does not even load how', async () => {
    const { lines, told, scripts } = await play(study)
    expect(told).toEqual([])
    for (const id of ['source', 'essay', 'sleep']) expect(dataOf(lines, id)).not.toHaveProperty('paradata')
    expect(typesOf(lines, 'device_report', 'page_hidden', 'page_visible')).toEqual([])
    expect(scripts.filter((url) => url.includes('start-paradata'))).toEqual([])
  })

  test('[R93] only what a study collects is measured', async () => {
    const { lines, told } = await play({ ...study, paradata: ['paste'] })
    expect(told).toEqual([collected.kinds.paste])
    expect(dataOf(lines, 'essay').paradata).toEqual({ pasteCount: 1, pastedCharacters: [...pasted].length })
    expect(dataOf(lines, 'sleep')).not.toHaveProperty('paradata')
    expect(typesOf(lines, 'device_report', 'page_hidden', 'page_visible')).toEqual([])
  })
})
