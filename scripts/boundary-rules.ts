// Who may import whom. The first rule whose `files` match decides; a file that no rule covers is an error, so that
// a folder for leftovers cannot be born. To add a folder, add a rule; to widen one, add a line to its `may`.
//
// Patterns are paths from the root of the repository:
//   *         anything within one folder           **    anything, however deep
//   :name     one folder, and in `may` the same one (a module's own folder)
//   node:fs, node:*         Node's own modules
//   npm:typebox, npm:*      packages; npm:typebox includes its subpaths
//   type <pattern>          only as `import type`
// An import() of something computed cannot be checked and is always an error.

export type BoundaryRule = {
  files: string[]
  may: string[]
  /** One sentence for whoever breaks it. */
  because: string
}

const contract = 'packages/contract/src/index.ts'
const program = 'packages/program/src/index.ts'
const testkit = 'packages/testkit/src/index.ts'
const server = 'apps/server/src'

/** What is harmless in pure code: no files, no network, no processes. */
const quietNode = [
  'node:buffer',
  'node:crypto',
  'node:events',
  'node:stream',
  'node:stream/promises',
  'node:timers/promises',
  'node:util',
]

const aModuleMay = [
  `${server}/modules/:module/**`,
  `${server}/modules/*/index.ts`,
  `${server}/kernel/**`,
  `${server}/ports/**`,
  contract,
  'npm:typebox',
  'npm:lru-cache',
  ...quietNode,
]
const client = ['packages/client/src/index.ts', 'packages/client/src/node.ts'] as const
const bots = 'packages/bots/src/index.ts'
const web = 'apps/web/src'
const bothPages = [`${web}/identity/**`, `${web}/api/**`, `${web}/rescue/**`]
const sharedText = `${web}/text/shared.ts`
const aTestMay = [contract, program, testkit, ...client, bots, 'npm:*', 'node:*']

export const boundaryRules: BoundaryRule[] = [
  // Tests
  {
    files: ['scripts/*.test.ts', 'scripts/*.test.mjs', 'bench/**/*.test.ts'],
    may: ['scripts/**', 'bench/**', `${server}/**`, ...aTestMay],
    because:
      'a test of scripts or benchmarks uses them, the server, the test kit, the client, the contract and npm',
  },
  {
    files: [':kind/:app/**/*.test.ts', ':kind/:app/**/*.story.ts', ':kind/:app/**/test/**'],
    may: [':kind/:app/**', ...aTestMay],
    because: 'a test uses its own app or package, the test kit, the client, the bots, the contract and npm',
  },

  // Packages
  {
    files: ['packages/contract/src/**'],
    may: ['packages/contract/src/**', 'npm:typebox'],
    because: 'the contract is read by browsers and servers alike, so it uses only itself and typebox',
  },
  {
    files: ['packages/program/src/**'],
    may: ['packages/program/src/**', 'npm:ioredis', 'npm:pino', 'npm:typebox', 'node:*'],
    because: 'what programs share knows nothing of the platform: itself, ioredis, pino, typebox and Node',
  },
  {
    files: ['packages/testkit/src/**'],
    may: ['packages/testkit/src/**', contract, 'npm:*', 'node:*'],
    because: 'the test kit drives the platform from outside: itself, the contract, npm and Node',
  },
  {
    files: ['packages/client/src/node.ts', 'packages/client/src/node/**'],
    may: ['packages/client/src/**', contract, 'npm:*', 'node:*'],
    because: 'the Node entry of the client adds what browsers cannot do: itself, the contract, npm and Node',
  },
  {
    files: ['packages/client/src/**'],
    may: [
      'packages/client/src/*.ts',
      'packages/client/src/queue/**',
      'packages/client/src/room/**',
      'packages/client/src/socket/**',
      'packages/client/src/waiting/**',
      contract,
      'npm:*',
    ],
    because: 'the client runs in browsers: itself without its Node part, the contract and npm',
  },
  {
    files: ['packages/bots/src/**'],
    may: ['packages/bots/src/**', client[0], contract, testkit, 'node:*'],
    because: 'bots stand where people do: themselves, the client, the contract, the test kit and Node',
  },

  // The server, from the inside out
  {
    files: [`${server}/kernel/**`],
    may: [`${server}/kernel/**`, contract, 'npm:typebox', 'node:*'],
    because: 'the kernel is pure and small: itself, the contract, typebox and Node',
  },
  {
    files: [`${server}/ports/**`],
    may: [`${server}/ports/**`, `${server}/kernel/**`, contract, 'type node:*'],
    because: 'ports are types only: other ports, the kernel and the contract',
  },
  {
    files: [`${server}/config.ts`, `${server}/web-config.ts`],
    may: [`${server}/web-config.ts`, `${server}/kernel/**`, contract, program, 'npm:typebox', 'node:*'],
    because: 'the configuration is one schema: kernel, contract, the table reader, typebox and Node',
  },
  {
    files: [`${server}/modules/:module/*.routes.ts`],
    may: [...aModuleMay, `${server}/http/**`, 'npm:fastify'],
    because: 'routes are thin: their module and what it may use, src/http and fastify',
  },
  {
    files: [`${server}/modules/:module/*.socket.ts`],
    may: [...aModuleMay, `${server}/realtime/**`, 'npm:socket.io'],
    because: 'socket handlers are thin: their module and what it may use, src/realtime and socket.io',
  },
  {
    files: [`${server}/modules/identity/**`],
    may: [...aModuleMay, `${server}/modules/identity/**`, 'npm:jose'],
    because: 'identity may use what every module may, and jose',
  },
  {
    files: [`${server}/modules/flow/**`],
    may: [...aModuleMay, `${server}/modules/flow/**`, 'npm:jsep'],
    because: 'flow may use what every module may, and jsep',
  },
  {
    files: [`${server}/modules/:module/**`],
    may: aModuleMay,
    because:
      "a module uses its own folder, other modules' index.ts, kernel, ports, contract, typebox and lru-cache; " +
      'storage, network and files belong to adapters',
  },
  {
    files: [`${server}/adapters/worker-thread/beside.ts`],
    may: [
      `${server}/adapters/worker-thread/**`,
      `${server}/modules/experiments/parse-definition.ts`,
      `${server}/modules/matching/dry-run.ts`,
      `${server}/kernel/**`,
      'node:worker_threads',
    ],
    because:
      'the thread beside the event loop performs pure functions of modules: it uses those, the kernel and its messages',
  },
  {
    files: [`${server}/adapters/:adapter/**`],
    may: [
      `${server}/adapters/:adapter/**`,
      `${server}/adapters/sql/**`,
      `${server}/adapters/in-process/**`,
      `${server}/adapters/disk/**`,
      `${server}/ports/**`,
      `${server}/kernel/**`,
      `${server}/modules/*/*.store.ts`,
      `${server}/modules/*/*.plan.ts`,
      `type ${server}/modules/*/index.ts`,
      contract,
      program,
      'npm:*',
      'node:*',
    ],
    because:
      "an adapter uses its own folder, sql, in-process and disk (which others build upon), ports, kernel, contract, what programs share, npm, Node, modules' *.store.ts and *.plan.ts, " +
      "and types of modules' index.ts",
  },
  {
    files: [`${server}/http/**`],
    may: [
      `${server}/http/**`,
      `${server}/kernel/**`,
      `${server}/ports/**`,
      'apps/server/package.json',
      contract,
      'npm:fastify',
      'npm:@fastify/*',
      'npm:prom-client',
      'npm:pino',
      'npm:typebox',
      'node:*',
    ],
    because:
      'src/http uses kernel, ports, contract, fastify, prom-client, pino and typebox; modules’ routes use it, never the reverse',
  },
  {
    files: [`${server}/realtime/**`],
    may: [
      `${server}/realtime/**`,
      `${server}/kernel/**`,
      `${server}/ports/**`,
      contract,
      program,
      'npm:lru-cache',
      'npm:socket.io',
      'npm:typebox',
      'node:*',
    ],
    because:
      'src/realtime uses kernel, ports, contract, what programs share, lru-cache, socket.io and typebox; modules’ sockets use it, never the reverse',
  },
  {
    files: [`${server}/app.ts`, `${server}/surface.ts`, `${server}/entry/*.ts`],
    may: [`${server}/**`, contract, program, 'npm:*', 'node:*'],
    because: 'the composition root, what it shows outside, and the entries see everything in the server',
  },

  // The other programs
  {
    files: [`${web}/participant/**`],
    may: [
      `${web}/participant/**`,
      `${web}/text/participant.ts`,
      ...bothPages,
      contract,
      client[0],
      'npm:react',
      'npm:react-dom',
      'npm:markdown-to-jsx',
      'npm:typebox',
    ],
    because:
      'participants wait for every byte: their pages use themselves, their texts, what both pages share, the contract, the client, React, markdown-to-jsx and typebox',
  },
  {
    files: [`${web}/console/**`],
    may: [`${web}/console/**`, `${web}/text/console.ts`, ...bothPages, contract, 'npm:*'],
    because:
      'the console uses itself, its texts, what both pages share, the contract and npm, not the participant’s pages',
  },
  {
    files: bothPages,
    may: [...bothPages, sharedText, contract, 'npm:oauth4webapi', 'npm:react', 'npm:typebox'],
    because: 'what both pages share stays small: itself, the contract, React, oauth4webapi and typebox',
  },
  {
    files: [`${web}/text/:page.ts`],
    may: [`${web}/text/*.ts`, `${web}/text/*/:page*.ts`, contract],
    because: 'each page loads its own texts only, in every language',
  },
  {
    files: [`${web}/text/:language/:page.ts`],
    may: [`${web}/text/*.ts`, `${web}/text/:language/**`, contract],
    because: 'texts are words: those of their language, how numbers are written, and the contract’s names',
  },
  {
    files: ['apps/web/vite.config.ts'],
    may: ['npm:*', 'node:*'],
    because: 'a tool configuration uses npm and Node only',
  },
  ...['router', 'functions', 'agent'].map((app) => ({
    files: [`apps/${app}/**`],
    may: [`apps/${app}/**`, contract, program, 'packages/client/src/index.ts', 'npm:*', 'node:*'],
    because: `${app} uses itself, the contract, what programs share, the client and npm`,
  })),
  {
    files: ['bench/src/**'],
    may: ['bench/src/**', `${server}/**`, bots, contract, program, testkit, 'npm:*', 'node:*'],
    because:
      'benchmarks look inside: the server, the bots, the contract, what programs share, the test kit and npm',
  },
  {
    files: ['scripts/cluster.ts'],
    may: [testkit, 'node:*'],
    because: 'a local cluster is the one that tests start',
  },
  {
    files: ['scripts/simulate.ts'],
    may: [bots, contract, testkit, 'node:*'],
    because:
      'the simulation is the bots’ work: bots, the contract, the test kit that starts a server, and Node',
  },
  {
    files: ['scripts/**/*.ts', 'scripts/*.mjs'],
    may: ['scripts/**', `${server}/**`, 'apps/router/src/config.ts', contract, 'npm:*', 'node:*'],
    because: "scripts use each other, the server, the router's configuration, the contract and npm",
  },
  {
    files: ['*.config.ts'],
    may: ['*.config.ts', 'npm:*', 'node:*'],
    because: 'a tool configuration uses its like, npm and Node only',
  },
]
