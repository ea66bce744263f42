// `npm run bundle`: writes the programs of an image into programs/, one file each and what they share. They look for pages,
// texts and compiled packages where these are now, so the folder stays beside them.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleForImage } from '../packages/bundler/src/index.ts'

const folder = fileURLToPath(new URL('../programs', import.meta.url))
rmSync(folder, { recursive: true, force: true })
await bundleForImage(folder)
