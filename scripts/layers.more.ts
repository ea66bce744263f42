import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { importsThatGoUp } from '../dependency-cruiser.config.ts'
import { foldersIn, layersOf } from './server-layers.ts'
import { cruise } from './test/cruise.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the folders of the server form layers, and imports go downwards only', async () => {
  const { modules: files, summary } = await cruise(
    root,
    'apps/server/src',
    '--exclude',
    '[.](test|more)[.]ts$|/test/',
  )
  const { layers, circles } = layersOf(foldersIn(files))
  const up = summary.violations
    .filter(({ rule }) => rule.name.startsWith('layer-'))
    .map(({ from, to }) => `${from} → ${to}`)
  console.log(
    [
      'The layers of apps/server/src, outermost first:',
      ...layers.map((layer) => `  ${layer.join('  ')}`),
    ].join('\n'),
  )
  if (importsThatGoUp === 'warn')
    console.log(['Imports that still go upwards:', ...circles, ...up].join('\n  '))
  else expect([...circles, ...up]).toEqual([])
  expect(layers.at(-1)).toContain('kernel')
})
