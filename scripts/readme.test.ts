// What README.md and docs/architecture.md count or list is what the code has.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limits } from '@atrium/contract'
import { componentTypes } from '@atrium/contract/components'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const readme = read('README.md')

const inWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const foldersIn = (path: string): string[] =>
  globSync(`${path}/*`, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'test')
    .map(({ name }) => name)

/** Between the two, once. */
function partOf(text: string, before: string, after: string): string {
  const [, part = ''] = text.split(before)
  return part.slice(0, part.indexOf(after))
}

test('the component types are counted', () => {
  expect(readme).toContain(` ${Object.keys(componentTypes).length} component types;`)
})

test('the calls of the demo are counted', () => {
  const calls = partOf(read('scripts/demo.ts'), 'const calls = ', '\n]\n').match(/\btitle:/g) ?? []
  expect(readme).toContain(`# a whole study in ${inWords[calls.length]} calls,`)
})

test('the size of a video is the limit', () => {
  expect(readme).toContain(`uploads of up to ${limits.videoBytes / 1_073_741_824} GiB`)
})

test('the bots are as many as come unless somebody asks for others', () => {
  expect(read('scripts/simulate.ts')).toContain("participants: '40'")
  expect(readme).toContain('# forty bots play')
})

test('Node is the version that the packages ask for', () => {
  const [, oldest] = /^>=(\d+)$/.exec(JSON.parse(read('package.json')).engines.node) ?? []
  expect(readme).toContain(`only Node (${oldest} or newer)`)
})

test('the modules in the picture exist', () => {
  const named = partOf(readme, '"modules: ', '"').split(', ')
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !foldersIn('apps/server/src/modules').includes(name))).toEqual([])
})

test('the sockets in the picture are those that are served', () => {
  const served = globSync('apps/server/src/modules/*/*.socket.ts', { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(/open(?:ForPeople)?\((?:handshakes, )?'(\/\w+)'/g)].map(([, name = '']) => name),
  )
  expect(partOf(readme, '"sockets: ', '"').split(', ').toSorted()).toEqual(served.toSorted())
})

test('the programs in the picture are the folders that hold them', () => {
  const named = [...readme.matchAll(/\["((?:apps|packages)\/\w+)[:,]/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(2)
  const there = ['apps', 'packages'].flatMap((one) => foldersIn(one).map((name) => `${one}/${name}`))
  expect(named.filter((name) => !there.includes(name))).toEqual([])
})

test('every page that is linked exists', () => {
  const links = [...readme.matchAll(/\]\(([^)#:]+)[^)]*\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([])
})

test('the folders of rooms are counted and described', () => {
  const folders = foldersIn('apps/server/src/modules/rooms')
  const described = partOf(read('docs/architecture.md'), '`modules/rooms` has ', '\n\n')
  expect(described).toMatch(new RegExp(`^${inWords[folders.length]} folders`))
  expect(folders.filter((name) => !described.includes(`\`${name}/\``))).toEqual([])
})
