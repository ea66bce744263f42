// The TypeScript in the documentation type-checks and works.
import {
  createApi,
  createResearcher,
  createTemporaryFolder,
  openBrowser,
  type Server,
  startServer,
  type TemporaryFolder,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Block, placeOf, readPages } from './docs-blocks.ts'
import { readerOf } from './docs-definitions.ts'
import { furnish } from './docs-shell.ts'
import { bundleSnippet, checkTypes, runInNode, writeSnippet } from './docs-snippets.ts'

const pages = readPages()
const snippets = pages.flatMap(({ blocks }) => blocks).filter(({ language }) => language === 'ts')

let server: Server
let folder: TemporaryFolder
beforeAll(async () => {
  server = await startServer()
  folder = createTemporaryFolder('docs')
  furnish(folder.path)
})
afterAll(async () => {
  await server?.stop()
  folder?.remove()
})

/** The compiler reads the client, the contract and the DOM, possibly on a busy machine. */
const longMs = 600_000

test(
  'all snippets type-check, and a type error would be found',
  async () => {
    const files = snippets.map(({ text }, index) => writeSnippet(folder.path, `snippet-${index}.ts`, text))
    const wrong = writeSnippet(
      folder.path,
      'wrong.ts',
      "import { noSuchThing } from '@atrium/client'\nnoSuchThing()",
    )
    const errors = (await checkTypes(folder.path, [...files, wrong]))
      .split('\n')
      .filter((line) => /error TS/.test(line))
    expect(errors).toEqual([expect.stringMatching(/wrong\.ts.*noSuchThing/)])
  },
  longMs,
)

/** Opens the study that the page has built up before the snippet. */
async function openStudy({ page, line }: Block): Promise<string> {
  const blocks = pages.find(({ name }) => name === page)?.blocks ?? []
  const { study } = readerOf(blocks.filter((block) => block.line < line))
  return await (await createResearcher(createApi(server.http))).openExperiment(study)
}

test.each(snippets.map((block) => [placeOf(block), block] as const))('%s works', async (_, block) => {
  const text = block.text.replaceAll('http://127.0.0.1:3000', server.http)
  const file = writeSnippet(folder.path, 'snippet.ts', text)
  const study = await openStudy(block)
  if (/\b(?:window|document|location)\b/.test(text)) await runInBrowser(file, study)
  else await runInNode(file, study)
})

async function runInBrowser(file: string, study: string): Promise<void> {
  const bundle = await bundleSnippet(file)
  const browser = await openBrowser()
  try {
    // Any page of the platform will do, as long as its content security policy does not block the snippet.
    const page = await browser.newPage({ bypassCSP: true })
    const failures: Error[] = []
    page.on('pageerror', (error) => failures.push(error))
    await page.goto(`${server.http}/health/live?study=${study}`)
    await page.addScriptTag({ type: 'module', content: `${bundle}\nwindow.hasEnded = true` })
    await waitUntil(async () => {
      const hasEnded = await page.evaluate<boolean>('window.hasEnded === true')
      return hasEnded || failures.length > 0 || page.evaluate<string>('document.body.textContent')
    })
    expect(failures).toEqual([])
  } finally {
    await browser.close()
  }
}
