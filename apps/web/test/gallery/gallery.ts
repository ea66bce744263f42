import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser, startWorld } from '@atrium/testkit'
import { buildingScenes } from './building-scenes.ts'
import { componentScenes } from './component-scenes.ts'
import { consoleScenes } from './console-scenes.ts'
import { endingScenes } from './ending-scenes.ts'
import { pageScenes } from './page-scenes.ts'
import { studyScenes } from './study-scenes.ts'
import { forms, takeSheet } from './take-sheet.ts'
import { createVisit, type Scene } from './visit.ts'

interface Chapter {
  title: string
  scenes: readonly Scene[]
}

/** Each becomes a page of the documentation. */
const galleries: readonly { file: string; title: string; intro: string; chapters: readonly Chapter[] }[] = [
  {
    file: 'gallery.md',
    title: 'Gallery',
    intro: 'What participants see: every page, every ending and every component type.',
    chapters: [
      { title: 'Pages', scenes: pageScenes },
      { title: 'Endings', scenes: endingScenes },
      { title: 'Components', scenes: componentScenes },
    ],
  },
  {
    file: 'console-gallery.md',
    title: 'Gallery of the console',
    intro: 'What researchers see: every page of the console.',
    chapters: [
      { title: 'Building a study', scenes: buildingScenes },
      { title: 'Running a study', scenes: studyScenes },
      { title: 'Everything else', scenes: consoleScenes },
    ],
  },
]
export const chapters = galleries.flatMap((gallery) => gallery.chapters)

/**
 * Takes a sheet of every scene, or of those named, into `<docs>/gallery`, and writes a page that shows them when all of
 * its sheets were taken. A scene that cannot be reached stops the gallery: pages that are missing would go unnoticed.
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
  const isTaken = ({ name }: Scene) => names.length === 0 || names.includes(name)
  for (const gallery of galleries)
    if (gallery.chapters.every(({ scenes }) => scenes.every(isTaken)))
      writeFileSync(join(docs, gallery.file), galleryPage(gallery))
  if (names.length > 0) return
  removeOthers(folder, all)
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  say(`${all.length} sheets, ${(bytes / 1_000_000).toFixed(1)} MB`)
}

/** Sheets of scenes that no longer exist. */
function removeOthers(folder: string, scenes: readonly Scene[]): void {
  for (const file of readdirSync(folder))
    if (!scenes.some(({ name }) => file === `${name}.webp`)) rmSync(join(folder, file))
}

function galleryPage({ title: heading, intro, chapters }: (typeof galleries)[number]): string {
  const parts = chapters.map(({ title, scenes }) => {
    const sheets = scenes.map(
      (scene) => `### ${scene.title}\n\n![${altOf(scene)}](gallery/${scene.name}.webp)\n`,
    )
    return `## ${title}\n\n${sheets.join('\n')}`
  })
  return `# ${heading}

${intro} Each picture shows the same moment in four forms, from
left to right: ${forms.map(({ name }) => name).join('; ')}. Written by \`npm run gallery\`; do not edit.

${parts.join('\n')}`
}

const altOf = ({ title }: Scene): string => `${title.replaceAll('`', '')}, in four forms`
