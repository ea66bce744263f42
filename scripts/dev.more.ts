import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createApi,
  createTemporaryFolder,
  onFreePort,
  openBrowser,
  smallestDefinition,
  startProgram,
  waitUntil,
} from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { experimentRoutes } from '../packages/contract/src/index.ts'
import { root } from './setup.mjs'

/** The sources as they are here, with the packages that are installed here: somebody edits them. */
function copyOfSources(): string {
  const folder = createTemporaryFolder('sources')
  onTestFinished(() => folder.remove())
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  })
  const isNeeded = (file: string) => file !== '' && !file.startsWith('docs/') && existsSync(join(root, file))
  for (const file of listed.split('\0').filter(isNeeded)) cpSync(join(root, file), join(folder.path, file))
  for (const workspace of ['.', 'apps/router', 'apps/web', 'bench']) {
    const [from, to] = [root, folder.path].map((one) => join(one, workspace, 'node_modules')) as [
      string,
      string,
    ]
    if (!existsSync(from)) continue
    mkdirSync(to, { recursive: true })
    // The links to our own packages are relative, so that in the copy they lead to the copy.
    for (const name of readdirSync(from).filter((one) => one !== '.cache' && one !== '.vite'))
      if (name === '@atrium')
        cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
      else symlinkSync(join(from, name), join(to, name))
  }
  return folder.path
}

test('somebody who edits a view sees it at once, and a rule after the server has started again', async () => {
  const sources = copyOfSources()
  const edit = (file: string, from: string, to: string): void => {
    const path = join(sources, file)
    const before = readFileSync(path, 'utf8')
    expect(before).toContain(from)
    writeFileSync(path, before.replace(from, to))
  }
  const { address, program } = await onFreePort(async (port) => {
    const program = startProgram(process.execPath, {
      args: [join(sources, 'scripts', 'dev.ts')],
      cwd: sources,
      env: { PATH: process.env.PATH ?? '', PORT: String(port), DATA_DIR: join(sources, 'data') },
    })
    await waitUntil(() => program.stdout().includes('is running for development') || program.stderr())
    return { program, address: `http://127.0.0.1:${port}` }
  })
  onTestFinished(() => program.kill())

  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(address)
  // The examples are there: each is a card.
  await page.getByRole('listitem').first().waitFor()
  await page.evaluate(() => Object.assign(globalThis, { wasHereBefore: true }))
  edit(
    'apps/web/src/participant/pages/studies-page.tsx',
    '<h1>{texts().studies.title}</h1>',
    '<h1>What somebody has just written</h1>',
  )
  await page.getByRole('heading', { name: 'What somebody has just written' }).waitFor()
  expect(await page.evaluate(() => 'wasHereBefore' in globalThis)).toBe(true)

  const api = createApi(address)
  const token = await api.token('rita', ['researcher'])
  const { body } = await api.call(experimentRoutes.create, { token, body: smallestDefinition() })
  const close = () =>
    api.call(experimentRoutes.changeStatus, {
      token,
      params: { experimentId: body.experimentId },
      body: { status: 'closed' },
    })
  expect(await close()).toMatchObject({ status: 409 })
  edit(
    'packages/contract/src/api/experiment.ts',
    "draft: ['recruiting'],",
    "draft: ['recruiting', 'closed'],",
  )
  // While it starts again, nobody answers.
  await waitUntil(async () => {
    const { status, text } = await close().catch((error: Error) => ({ status: 0, text: error.message }))
    return status === 200 || `${status}: ${text}`
  })
})
