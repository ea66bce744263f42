import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import * as client from '@atrium/client'
import { createTemporaryFolder } from '@atrium/testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { buildModules, type LibraryName, libraries } from './build-library.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = createTemporaryFolder('packages')
afterAll(() => folder.remove())

/** Imported by another program: the file is made by the build, so that no check could follow an import of it. */
async function namesIn(file: string): Promise<string[]> {
  const program = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(pathToFileURL(file).href)}))))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
  return JSON.parse(stdout).toSorted()
}

describe.each(Object.keys(libraries) as LibraryName[])('the package @atrium/%s', (name) => {
  test('holds what its manifest promises, and no sources', async () => {
    const built = join(folder.path, name)
    await buildModules(name, built)
    const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'))
    const source = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({
      version: source.version,
      files: ['dist'],
      dependencies: source.dependencies,
    })
    expect(manifest.private).toBeUndefined()
    expect(Object.keys(manifest.exports)).toEqual(Object.keys(source.exports))
    for (const { default: file, types } of Object.values<Record<string, string>>(manifest.exports)) {
      expect(existsSync(join(built, file ?? ''))).toBe(true)
      expect(types).toBe(file?.replace(/\.js$/, '.d.ts'))
    }
    const files = globSync('**/*.*', { cwd: built })
    expect(files.filter((path) => !/^(dist\/[\w-]+\.js|package\.json|README\.md)$/.test(path))).toEqual([])
    expect(existsSync(join(built, 'LICENSE'))).toBe(true)
  })

  test('imports only what it depends on', () => {
    const { dependencies } = JSON.parse(readFileSync(join(folder.path, name, 'package.json'), 'utf8'))
    const imported = globSync('dist/*.js', { cwd: join(folder.path, name) }).flatMap((path) =>
      [
        ...readFileSync(join(folder.path, name, path), 'utf8').matchAll(
          /^(?:import|export) .*?from "([^"]+)"/gm,
        ),
      ].map(([, specifier = '']) => specifier),
    )
    expect(imported.length).toBeGreaterThan(0)
    const isKnown = (specifier: string) =>
      /^(\.\/|node:)/.test(specifier) ||
      Object.keys(dependencies).some((known) => specifier === known || specifier.startsWith(`${known}/`))
    expect(imported.filter((specifier) => !isKnown(specifier))).toEqual([])
  })
})

test('the served SDK exports what the package exports, and describes it', async () => {
  const sdk = join(root, 'apps', 'web', 'dist', 'sdk')
  const exported = Object.keys(client).toSorted()
  expect(await namesIn(join(sdk, 'atrium.js'))).toEqual(exported)
  const types = readFileSync(join(sdk, 'atrium.d.ts'), 'utf8')
  const described = /^export \{(.+)\};$/m
    .exec(types)?.[1]
    ?.split(', ')
    .map((name) => name.replace(/.* as /, '').trim())
  expect(described).toEqual(expect.arrayContaining(exported))
  expect(types).not.toMatch(/^import /m)
  expect(readFileSync(join(sdk, 'LICENSES.txt'), 'utf8')).toContain('socket.io-client 4.')
})
