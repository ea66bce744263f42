// `npm run render`: writes the manifests of the chart's examples to deploy/rendered.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installSystemPrograms } from '../../scripts/system-programs.mjs'
import { deployFolder, exampleNames, renderedPath } from './chart.ts'
import { goPrograms, renderExample } from './run-renderer.ts'

await installSystemPrograms(goPrograms)
mkdirSync(join(deployFolder, 'rendered'), { recursive: true })
for (const example of exampleNames()) {
  writeFileSync(renderedPath(example), renderExample(example))
  console.log(`Wrote deploy/rendered/${example}.yaml`)
}
