// Commands of the documentation that are not run as they stand, each with the reason. Everything else is.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** They would run this very test again, change files, or never end. Whether they exist is checked all the same. */
export const notRun: Record<string, string> = {
  'npm test': 'runs this test',
  'npx vitest run apps/server/test/stories/join': 'is how this test is run, with another file',
  'npm run check': 'is a part of npm test',
  'npm run format': 'changes files',
  'npm run generate': 'changes files; npm run check makes sure that it has been run',
  'sqlite3 atrium.db ".backup copy.db"': 'needs a program that neither Atrium nor its tests need',
  'npx vite apps/web': 'watches the sources until it is stopped; npm run build builds the same pages',
}

/** Programs that run until they are stopped: started on any free port, and stopped once they listen. */
export const listens = ['npm start', 'npm run serve', 'node_modules/.bin/node apps/server/src/entry/serve.ts']

/** What is a matter of minutes is run with less of it. The last of two equal options counts. */
export const shortened: Record<string, string> = {
  'npm run simulate': '--participants 4 --speed 200 --dropout 0',
}

const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts

/** Where the options of a script are declared, if it is not in the script itself. */
const declaredIn: Record<string, string> = {
  cluster: 'scripts/cluster.ts',
  bench: 'bench/src/options.ts',
}

/** What is wrong with a command, without running it: undefined when nothing is. */
export function problemWith(command: string): string | undefined {
  const [program, ...words] = command.split(/\s+/)
  if (command in notRun && program !== 'npm') return undefined
  if (program === 'node')
    return existsSync(join(root, words[0] ?? '')) ? undefined : `there is no ${words[0]}`
  if (program !== 'npm') return 'a command that is not ours stands in a block, where it is run, or in notRun'
  const [name = '', ...args] = words[0] === 'run' ? words.slice(1) : words
  if (['install', 'ci'].includes(name)) return undefined
  const script = scripts[name]
  if (script === undefined) return `there is no script called ${name}`
  const file = declaredIn[name] ?? script.split(' ').find((word) => /\.m?[jt]s$/.test(word))
  const source = file === undefined ? '' : readFileSync(join(root, file), 'utf8')
  const unknown = args.filter(
    (word) =>
      word.startsWith('--') && word !== '--' && !new RegExp(`\\b${word.slice(2)}'?: \\{`).test(source),
  )
  return unknown.length > 0 ? `${file ?? script} does not know ${unknown.join(', ')}` : undefined
}
