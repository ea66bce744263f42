import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, findPython, type Server, startServer } from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Block, isShownBy, type Page, placeOf, readPages } from '../docs-blocks.ts'
import { readerOf } from '../docs-definitions.ts'
import { environmentOf, furnish, runBlocks } from '../docs-shell.ts'

/** Several programs run one after another, possibly on a busy machine. */
const longMs = 600_000

/** The page that is followed in `npm test`: everybody begins there. The others take two minutes and are in docs.long.ts. */
export const firstPage = 'README.md'

type Follow = (blocks: Block[]) => Promise<Map<number, string>>

/** Follows pages as a reader would, each in a folder of its own, on one server. */
export function describeCommands(
  isFollowed: (page: Page) => boolean,
  more: (follow: Follow) => void = () => undefined,
): void {
  describe('the commands of', () => {
    let server: Server
    beforeAll(async () => {
      server = await startServer()
    })
    afterAll(() => server?.stop())

    async function follow(blocks: Block[]): Promise<Map<number, string>> {
      const folder = createTemporaryFolder('docs')
      furnish(folder.path)
      for (const [name, content] of readerOf(blocks).files) writeFileSync(join(folder.path, name), content)
      const commands = blocks
        .filter(({ language }) => language === 'sh')
        .map((block) => ({ ...block, text: block.text.replaceAll('http://127.0.0.1:3000', server.http) }))
      const env = environmentOf(server.http)
      if (commands.some(({ text }) => text.includes('import pandas')))
        env.PATH = `${pandasIn(folder.path)}:${env.PATH}`
      return await runBlocks(commands, folder.path, env).finally(folder.remove)
    }

    const pages = readPages().filter(({ blocks }) => blocks.some(({ language }) => language === 'sh'))
    test.each(pages.filter(isFollowed))(
      '$name work, one after another',
      async ({ blocks }) => {
        const outputs = await follow(blocks)
        for (const shown of blocks.filter(({ note }) => note === 'output'))
          expectShown(shown, [...outputs].findLast(([line]) => line < shown.line)?.[1] ?? '')
      },
      longMs,
    )
    more(follow)
  })
}

/** A folder in which `python3` is one that has pandas, as a reader's would be. */
export function pandasIn(folder: string): string {
  const programs = join(folder, 'reader-programs')
  mkdirSync(programs)
  symlinkSync(findPython('pandas'), join(programs, 'python3'))
  return programs
}

function expectShown(shown: Block, output: string): void {
  const answers = output.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)]
    } catch {
      return [] // Text for people.
    }
  })
  const wanted = JSON.parse(shown.text)
  const isThere = answers.some((real) => isShownBy(wanted, real))
  expect(isThere, `${placeOf(shown)} is not what was printed:\n${output}`).toBe(true)
}
