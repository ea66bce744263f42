// `npm run build`: builds what the server serves to browsers, unless the last build is up to date: the pages, the SDK and
// its types. With `--compress`, as for an image, also their compressed forms.
import { parseArgs } from 'node:util'
import { addTypes, buildWebApp, compressWebApp } from './packages/web-builds.ts'

const { values } = parseArgs({ options: { compress: { type: 'boolean', default: false } } })
await buildWebApp()
await addTypes()
if (values.compress) await compressWebApp()
