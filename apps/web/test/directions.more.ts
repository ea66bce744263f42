import { changeComponentTexts } from '@atrium/contract'
import { componentTypes } from '@atrium/contract/components'
import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

/** Those of a frame are in another document. */
const inFrames = ['jspsych', 'custom_html']
const said = 'Quite so?'

/** Every type as its example has it, with a question in English wherever participants read something. */
const components = Object.entries(componentTypes)
  .filter(([type, { place }]) => place !== 'global' && !inFrames.includes(type))
  .map(([type, { example }]) => {
    const id = type === 'video' ? 'film' : type
    const settings = {
      ...example.settings,
      ...('src' in example.settings && 'alt' in example.settings && { src: '/icon.svg' }),
      ...(type === 'image' && { caption: said }),
    }
    return changeComponentTexts(component(id, type, settings), (text, { format }) =>
      format === 'html' ? text : said,
    )
  })

test('in an Arabic page, the mark of an English question stands at its end, in every type of component', async () => {
  const { link } = await openStudy(world, {
    name: said,
    languages: ['ar'],
    variables: { earned: 3 },
    states: [
      {
        id: 'all',
        name: said,
        instructions: said,
        components: components.filter(({ id }) => id !== 'audio'),
        end: { on: 'button', label: said },
      },
    ],
  })
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.goto(link)
  const shown = () =>
    page.evaluate((text) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found: { where: string; isTurned: boolean }[] = []
      while (walker.nextNode()) {
        const { parentElement: parent, textContent } = walker.currentNode
        if (!parent || !textContent?.includes(text)) continue
        const { direction, unicodeBidi } = getComputedStyle(parent)
        const part = parent.closest('[data-component]')?.getAttribute('data-component') ?? 'page'
        found.push({
          where: `${part} ${parent.localName}.${parent.className}`,
          isTurned: direction === 'rtl' && unicodeBidi !== 'plaintext',
        })
      }
      return found
    }, said)
  // The last of those whose code is loaded apart.
  await page.locator('[data-component="ranking"] .ranked-label').first().waitFor()
  await page.locator('[data-component="reaction_time"] .reaction-stage').waitFor()
  const found = await shown()
  expect(new Set(found.map(({ where }) => where.split(' ')[0])).size).toBeGreaterThan(15)
  expect(found.filter(({ isTurned }) => isTurned).map(({ where }) => where)).toEqual([])

  // The name of the study stands beside its logo, which is at the right.
  const name = await page.locator('.page-name').evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return { text: range.getBoundingClientRect().right, box: element.getBoundingClientRect().right }
  })
  expect(Math.abs(name.box - name.text)).toBeLessThan(2)
  await leave()
})
