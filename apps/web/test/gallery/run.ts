// `npm run gallery`: takes screenshots of every page and component into docs/gallery, and writes docs/gallery.md and
// docs/console-gallery.md. `npm run gallery -- home done` takes only these. Needs `npm run build` first.
import { fileURLToPath } from 'node:url'
import { takeGallery } from './gallery.ts'

const docs = fileURLToPath(new URL('../../../../docs', import.meta.url))
await takeGallery(docs, process.argv.slice(2), (line) => console.log(line))
