// Commands in the documentation that are not run as written, each with the reason. All others are.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** These would run this test again, change files, or never end. The test still checks that they exist. */
export const notRun: Record<string, string> = {
  'npm test': 'runs this test',
  'npx vitest run apps/server/test/stories/join': 'runs this kind of test with another file',
  'npm run check': 'is part of npm test',
  'npm run check -- --changed': 'is a part of npm run check; scripts/check.test.ts tests which',
  'npm run dev': 'runs until it is stopped; scripts/dev.more.ts runs it',
  'npm run format': 'changes files',
  'npm run generate': 'changes files; npm run check makes sure that it was run',
  'npm run doctor': 'judges this machine; apps/server/test/operations/doctor-set-ups.long.ts runs it',
  'npm run move -- --to postgres://atrium@database.internal/atrium --objects https://s3.internal':
    'needs a PostgreSQL and an S3; apps/server/test/transfer/move.more.ts runs it',
  'npm run agent -- serve': 'downloads a model and runs until it is stopped',
  'npm run agent -- verify': 'needs a model server',
  'npm run agent -- verify --base-url http://127.0.0.1:8080/v1': 'needs a model server',
  'npm run agent -- tunnel': 'needs a model server, and opens it to the internet',
  'npm run pack': 'builds for a while; scripts/packages.long.ts runs it and uses what it makes',
  'npm run pack -- agent': 'builds for a while; apps/agent/test/pack.more.ts runs it and what it makes',
  'npm install ./atrium-contract-0.3.0.tgz ./atrium-client-0.3.0.tgz':
    'installs into the current folder; scripts/packages.long.ts does it in an empty one',
  'npm run release -- 0.4.0': 'commits and tags; scripts/release.long.ts runs it in a copy of the repository',
  'npm run release -- 0.4.0 --dry-run':
    'builds for a while; scripts/release.long.ts runs it in a copy of the repository',
}

/** Programs that run until stopped: started on any free port and stopped once they listen. */
export const listens = ['npm start', 'npm run serve', 'node_modules/.bin/node apps/server/src/entry/serve.ts']

/** Commands that would take minutes get smaller options. The last of two equal options counts. */
export const shortened: Record<string, string> = {
  'npm run simulate -- public-goods-with-agents': '--speed 200',
  'npm run simulate': '--participants 4 --speed 200 --dropout 0',
}

const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts

/** Where the options of a script are declared, if not in the script itself. May be a pattern. */
const declaredIn: Record<string, string> = {
  cluster: 'scripts/cluster.ts',
  move: 'apps/server/src/transfer/arguments.ts',
  simulate: 'scripts/{simulate,pilot-arguments}.ts',
  bench: 'bench/src/options.ts',
  doctor: 'apps/server/src/entry/doctor.ts',
  agent: 'apps/agent/src/commands/**/*.ts',
}

/** Explains what is wrong with a command, without running it; undefined if nothing is. */
export function problemWith(command: string): string | undefined {
  const [program, ...words] = command.split(/\s+/)
  if (command in notRun && program !== 'npm') return undefined
  if (program === 'node')
    return existsSync(join(root, words[0] ?? '')) ? undefined : `${words[0]} does not exist`
  if (program !== 'npm') return 'put a command that is not ours in a block, where it is run, or in notRun'
  const [name = '', ...args] = words[0] === 'run' ? words.slice(1) : words
  if (['install', 'ci'].includes(name)) return undefined
  const script = scripts[name]
  if (script === undefined) return `there is no script named ${name}`
  const file = declaredIn[name] ?? script.split(' ').find((word) => /\.m?[jt]s$/.test(word))
  const source = globSync(file ?? [], { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const unknown = args.filter(
    (word) =>
      word.startsWith('--') && word !== '--' && !new RegExp(`\\b${word.slice(2)}'?: \\{`).test(source),
  )
  return unknown.length > 0 ? `${file ?? script} does not know ${unknown.join(', ')}` : undefined
}
