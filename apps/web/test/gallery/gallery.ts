import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser, startWorld } from '@atrium/testkit'
import { componentScenes } from './component-scenes.ts'
import { endingScenes } from './ending-scenes.ts'
import { pageScenes } from './page-scenes.ts'
import { forms, takeSheet } from './take-sheet.ts'
import { createVisit, type Scene } from './visit.ts'

export const chapters: readonly { title: string; scenes: readonly Scene[] }[] = [
  { title: 'Pages', scenes: pageScenes },
  { title: 'Endings', scenes: endingScenes },
  { title: 'Components', scenes: componentScenes },
]

/**
 * Takes a sheet of every scene, or of those named, into `<docs>/gallery`, and writes `<docs>/gallery.md` when all were
 * taken. A scene that cannot be reached stops the gallery: pages that are missing would go unnoticed.
 */
export async function takeGallery(
  docs: string,
  names: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const folder = join(docs, 'gallery')
  const all = chapters.flatMap(({ scenes }) => scenes)
  const unknown = names.filter((name) => !all.some((scene) => scene.name === name))
  if (unknown.length > 0)
    throw new Error(`no scene is called ${unknown.join(', ')}: ${all.map(({ name }) => name).join(', ')}`)
  mkdirSync(folder, { recursive: true })
  const world = await startWorld('embedded')
  const browser = await openBrowser()
  try {
    for (const { name, reach } of all.filter((scene) => names.length === 0 || names.includes(scene.name))) {
      const visit = createVisit(world, browser)
      const sheet = await takeSheet(browser, await reach(visit))
      writeFileSync(join(folder, `${name}.webp`), sheet)
      say(`${name}: ${Math.ceil(sheet.length / 1_000)} kB`)
      await visit.leave()
    }
  } finally {
    await browser.close()
    await world.stop()
  }
  if (names.length > 0) return
  removeOthers(folder, all)
  writeFileSync(join(docs, 'gallery.md'), galleryPage())
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  say(`${all.length} sheets, ${(bytes / 1_000_000).toFixed(1)} MB`)
}

/** Sheets of scenes that no longer exist. */
function removeOthers(folder: string, scenes: readonly Scene[]): void {
  for (const file of readdirSync(folder))
    if (!scenes.some(({ name }) => file === `${name}.webp`)) rmSync(join(folder, file))
}

function galleryPage(): string {
  const parts = chapters.map(({ title, scenes }) => {
    const sheets = scenes.map(
      (scene) => `### ${scene.title}\n\n![${altOf(scene)}](gallery/${scene.name}.webp)\n`,
    )
    return `## ${title}\n\n${sheets.join('\n')}`
  })
  return `# Gallery

What participants see: every page, every ending and every component type. Each picture shows the same moment in four forms, from
left to right: ${forms.map(({ name }) => name).join('; ')}. Written by \`npm run gallery\`; do not edit.

${parts.join('\n')}`
}

const altOf = ({ title }: Scene): string => `${title.replaceAll('`', '')}, in four forms`
