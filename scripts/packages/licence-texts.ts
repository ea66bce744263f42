import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Other people's packages may be copied only with their licence: the texts for the modules of a bundle. */
export function licenceTexts(modules: string[]): string {
  const folders = modules.flatMap(
    (path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll('\\', '/')) ?? [],
  )
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const [licence] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder })
    if (licence === undefined) throw new Error(`${name} has no licence that could be copied`)
    return `${name} ${version}\n\n${readFileSync(join(folder, licence), 'utf8').trim()}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
