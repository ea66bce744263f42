// `npm run tutorial`: plays docs/first-study.md and takes its pictures into docs/first-study. Needs `npm run build` first.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tellStory } from './tell-story.ts'
import { docsFolder } from './written-steps.ts'

const folder = join(docsFolder, 'first-study')
mkdirSync(folder, { recursive: true })
const taken = new Set<string>()
await tellStory({
  onPicture(name, webp) {
    writeFileSync(join(folder, `${name}.webp`), webp)
    taken.add(`${name}.webp`)
  },
  onStep: ({ title }) => console.log(title),
})
for (const file of readdirSync(folder)) if (!taken.has(file)) rmSync(join(folder, file))
