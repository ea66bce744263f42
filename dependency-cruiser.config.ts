// Who may import whom: `npm run check` runs dependency-cruiser with this file.
//
// Each boundary names files (`from`) and everything they may import (`may`). The first boundary whose `from` matches a
// file decides; a file that no boundary covers is an error, so that nobody can start a folder for leftovers. To add a
// folder, add a boundary; to widen one, add a line to its `may`.
//
// Patterns are regular expressions on paths from the root of the repository. $1 stands for the first group of `from`
// (a module's own folder). Biome refuses an import() of a computed name, which nothing could check (biome.json).
import { builtinModules } from 'node:module'
import type { IConfiguration, IForbiddenRuleType } from 'dependency-cruiser'

interface Boundary {
  name: string
  from: string[]
  may: string[]
  /** Only with `import type`. */
  mayImportTypesOf?: string[]
  /** One sentence for whoever crosses it. */
  because: string
}

/** A package of npm with all its subpaths. */
const npm = (name: string) => `(^|/)node_modules/${name}/`
const anyPackage = '(^|/)node_modules/'
const node = (...names: string[]) => `^(node:)?(${names.join('|')})$`
const anyNodeModule = node(...builtinModules.map((name) => name.replace(/^node:/, '')))

const contract = '^packages/contract/src/((components|reference)/)?index[.]ts$'
const program = '^packages/program/src/(index|keys)[.]ts$'
/** What the server may use of the functions: everything but MediaConvert's client comes with `index.ts`. */
const functions = '^apps/functions/src/(mediaconvert/)?index[.]ts$'
const testkit = '^packages/testkit/src/(index|without-vitest|definitions/index)[.]ts$'
const bundler = '^packages/bundler/src/index[.]ts$'
const agentProtocol = '^packages/agent-protocol/src/index[.]ts$'
const coordination = '^packages/coordination/src/index[.]ts$'
const definitionChecks = '^packages/definition-checks/src/index[.]ts$'
const expressions = '^packages/expressions/src/index[.]ts$'
const flow = '^packages/flow/src/index[.]ts$'
/** What of it runs in browsers. */
const networks = '^packages/flow/src/network/draw-network[.]ts$'
const monitoring = '^packages/monitoring/src/index[.]ts$'
/** The pure core beside the server: how a definition is read, checked and played, for whoever needs it. */
const language = [expressions, flow, definitionChecks]
const client = '^packages/client/src/index[.]ts$'
const clientForNode = '^packages/client/src/node/index[.]ts$'
const bots = '^packages/bots/src/index[.]ts$'
const objectStore = '^packages/object-store/src/index[.]ts$'
/** `?raw` asks Vite for the text of a file. */
const rawText = '^@atrium/design/tokens[.]css[?]raw$'
const design = `^packages/design/(src/index[.]ts|(tokens|typeface)[.]css|logo[.]svg)$|${rawText}`
const modelChecks = '^packages/model-checks/src/index[.]ts$'
const server = '^apps/server/src'
const web = '^apps/web/src'

/** Harmless in pure code: no files, no network, no processes. */
const quietNode = node(
  'buffer',
  'crypto',
  'events',
  'stream',
  'stream/promises',
  'timers/promises',
  'util',
  'zlib',
)

const moduleMay = [
  `${server}/modules/$1/`,
  `${server}/modules/[^/]+/index[.]ts$`,
  `${server}/(kernel|ports)/`,
  contract,
  agentProtocol,
  coordination,
  monitoring,
  ...language,
  npm('typebox'),
  npm('lru-cache'),
  quietNode,
]
const sharedByPages = `${web}/(identity|api|rescue)/`
const testMay = [
  contract,
  agentProtocol,
  coordination,
  monitoring,
  ...language,
  design,
  program,
  functions,
  testkit,
  client,
  clientForNode,
  bots,
  objectStore,
  modelChecks,
  anyPackage,
  anyNodeModule,
]

const boundaries: Boundary[] = [
  {
    name: 'tests-of-scripts',
    from: [
      '^scripts/(test/.*|[^/]+[.](test|more|long)[.](ts|mjs))$',
      '^scripts/(packages|release)/[^/]+[.]test[.]ts$',
      '^bench/.*[.](test|more|long)[.]ts$',
    ],
    may: [
      '^(scripts|bench)/',
      '^dependency-cruiser[.]config[.]ts$',
      // A step of a recipe, which the test of the recipes forgets.
      '^apps/server/test/security/authorisation-rows[.]ts$',
      `${server}/`,
      ...testMay,
    ],
    because:
      'a test of scripts or benchmarks may use them, the server, the test kit, the client, the contract and npm',
  },
  {
    name: 'tests-of-deployment',
    from: ['^deploy/test/'],
    may: ['^deploy/', '^scripts/', '^apps/[^/]+/src/', '^packages/object-store/src/config[.]ts$', ...testMay],
    because:
      'what is deployed must fit every program: the deployment, scripts, the programs and what tests may use',
  },
  {
    name: 'deployment',
    from: ['^deploy/'],
    may: ['^deploy/', '^scripts/system-programs[.]mjs$', npm('yaml'), anyNodeModule],
    because: 'rendering the chart needs no part of the platform: itself, the set-up, yaml and Node',
  },
  {
    name: 'tests-of-builder',
    from: ['^apps/web/test/builder-document[.]test[.]ts$'],
    may: ['^apps/web/', `${server}/modules/rooms/test/`, ...testMay],
    because: 'the builder must keep whatever the generators of definitions know, wherever they are',
  },
  {
    name: 'tests',
    from: ['^([^/]+/[^/]+)/(|.*/)(test/.*|[^/]+[.](test|story|more|long)[.]ts)$'],
    may: ['^$1/', ...testMay],
    because:
      'a test may use its own app or package, the test kit, the client, the bots, the object store, the contract and npm',
  },

  // Packages
  {
    name: 'contract',
    from: ['^packages/contract/src/'],
    may: ['^packages/contract/src/', npm('typebox')],
    because: 'browsers and servers both read the contract, so it may use only itself and typebox',
  },
  {
    name: 'expressions',
    from: ['^packages/expressions/src/'],
    may: ['^packages/expressions/src/', contract],
    because: 'servers and pages both evaluate expressions, so they are pure: themselves and the contract',
  },
  {
    name: 'flow',
    from: ['^packages/flow/src/'],
    may: ['^packages/flow/src/', contract, expressions, node('crypto')],
    because:
      'the way through an experiment is planned by pure functions: themselves, the contract, expressions (which rows of a table are played) and hashes of Node',
  },
  {
    name: 'definition-checks',
    from: ['^packages/definition-checks/src/'],
    may: ['^packages/definition-checks/src/', contract, expressions, flow, npm('typebox')],
    because:
      'what is checked on saving is pure: itself, the contract, expressions, the plan of the flow and typebox',
  },
  {
    name: 'agent-protocol',
    from: ['^packages/agent-protocol/src/'],
    may: ['^packages/agent-protocol/src/', contract, npm('typebox')],
    because: 'what is said to language models and read from them is pure: itself, the contract and typebox',
  },
  {
    name: 'coordination',
    from: ['^packages/coordination/src/'],
    may: ['^packages/coordination/src/', contract, npm('typebox')],
    because: 'instances and the router agree on names in Redis: themselves, the contract and typebox',
  },
  {
    name: 'monitoring',
    from: ['^packages/monitoring/src/'],
    may: ['^packages/monitoring/src/'],
    because: 'metrics and alerts are declarations, which every program and the reference read: themselves',
  },
  {
    name: 'program-otlp',
    from: ['^packages/program/src/tracing/otlp[.]ts$'],
    may: ['^packages/program/src/tracing/', npm('@opentelemetry/[^/]+'), anyNodeModule],
    because: 'only this file knows OpenTelemetry: its own folder, OpenTelemetry and Node',
  },
  {
    name: 'program',
    from: ['^packages/program/src/'],
    may: ['^packages/program/src/', npm('ioredis'), npm('pino'), npm('typebox'), anyNodeModule],
    because:
      'the code that programs share knows nothing of the platform: itself, ioredis, pino, typebox and Node',
  },
  {
    name: 'bundler',
    from: ['^packages/bundler/src/'],
    may: ['^packages/bundler/src/', npm('rolldown'), anyNodeModule],
    because: 'the bundler makes programs out of files: itself, rolldown and Node',
  },
  {
    name: 'testkit',
    from: ['^packages/testkit/src/'],
    may: [
      '^packages/testkit/src/',
      bundler,
      contract,
      agentProtocol,
      definitionChecks,
      monitoring,
      anyPackage,
      anyNodeModule,
    ],
    because:
      'the test kit drives the platform from outside: itself, the bundler, the contract, what models and monitors are told, the check of definitions, npm and Node',
  },
  {
    name: 'client-for-node',
    from: ['^packages/client/src/node/'],
    may: ['^packages/client/src/', contract, anyNodeModule],
    because: 'only this entry of the client is for programs: itself, the rest of the client and Node',
  },
  {
    name: 'client',
    from: ['^packages/client/src/'],
    may: ['^packages/client/src/(?!node/)', contract, anyPackage],
    because: 'the client runs in browsers, so it uses nothing of Node: itself, the contract and npm',
  },
  {
    name: 'bots',
    from: ['^packages/bots/src/'],
    may: ['^packages/bots/src/', client, contract, agentProtocol, expressions, testkit, anyNodeModule],
    because:
      'bots act as participants: they may use themselves, the client, the contract, expressions (which questions they are shown), the test kit and Node',
  },
  {
    name: 'object-store',
    from: ['^packages/object-store/src/'],
    may: ['^packages/object-store/src/', program, npm('fast-xml-parser'), npm('prom-client'), anyNodeModule],
    because:
      'the object store is an S3 and knows nothing of the platform: itself, the code that programs share, fast-xml-parser, ' +
      'prom-client and Node',
  },

  {
    name: 'model-checks',
    from: ['^packages/model-checks/src/'],
    may: ['^packages/model-checks/src/', contract, agentProtocol, npm('typebox'), anyNodeModule],
    because:
      'the agent tool and the platform check model servers in the same way: itself, the contract, typebox and Node',
  },

  {
    name: 'design',
    from: ['^packages/design/src/'],
    may: ['^packages/design/src/'],
    because: 'every page shows the same design, so it depends on none of them: itself',
  },

  // The server, from the inside out
  {
    name: 'kernel',
    from: [`${server}/kernel/`],
    may: [`${server}/kernel/`, contract, npm('typebox'), anyNodeModule],
    because: 'the kernel is pure and small: itself, the contract, typebox and Node',
  },
  {
    name: 'ports',
    from: [`${server}/ports/`],
    may: [`${server}/(ports|kernel)/`, contract],
    mayImportTypesOf: [coordination, anyNodeModule],
    because:
      'ports are types only: other ports, the kernel, the contract, and types of Node and of what instances share',
  },
  {
    name: 'configuration',
    from: [`${server}/config/`],
    may: [`${server}/(config|kernel)/`, contract, program, npm('typebox'), anyNodeModule],
    because: 'the configuration is one schema: kernel, contract, the table reader, typebox and Node',
  },
  {
    name: 'module-routes',
    from: [`${server}/modules/([^/]+)/[^/]+[.]routes[.]ts$`, `${server}/modules/(media)/send-object[.]ts$`],
    may: [...moduleMay, `${server}/http/`, npm('fastify')],
    because: 'routes are thin: their module and what it may use, src/http and fastify',
  },
  {
    name: 'module-sockets',
    from: [`${server}/modules/([^/]+)/[^/]+[.]socket[.]ts$`],
    may: [...moduleMay, `${server}/realtime/`, npm('socket.io')],
    because: 'socket handlers are thin: their module and what it may use, src/realtime and socket.io',
  },
  {
    name: 'module-identity',
    from: [`${server}/modules/(identity)/`],
    may: [...moduleMay, npm('jose')],
    because: 'identity may use what every module may, and jose',
  },
  {
    name: 'module-exports',
    from: [`${server}/modules/(exports)/`],
    may: [...moduleMay, npm('hyparquet-writer'), npm('yazl')],
    because: 'exports may use what every module may, hyparquet-writer and yazl',
  },
  {
    name: 'module',
    from: [`${server}/modules/([^/]+)/`],
    may: moduleMay,
    because:
      "a module may use its own folder, other modules' index.ts, kernel, ports, contract, typebox and lru-cache; " +
      'storage, network and files belong to adapters',
  },
  {
    name: 'adapter-beside',
    from: [`${server}/adapters/worker-thread/beside[.]ts$`],
    may: [
      `${server}/adapters/worker-thread/`,
      `${server}/modules/experiments/parse-definition[.]ts$`,
      `${server}/modules/matching/dry-run[.]ts$`,
      `${server}/modules/rooms/forecast/forecast-payments[.]ts$`,
      `${server}/kernel/`,
      node('worker_threads'),
    ],
    mayImportTypesOf: [`${server}/ports/`, contract],
    because:
      'the thread beside the event loop runs pure functions of modules: those, the kernel and its messages',
  },
  {
    name: 'adapter-disk-blobs',
    from: [`${server}/adapters/(disk-blobs)/`],
    may: [`${server}/(ports|kernel)/`, contract, objectStore, anyNodeModule],
    because:
      'the objects of the embedded store are reached without HTTP: the object store, ports, kernel, contract and Node',
  },
  {
    name: 'adapter',
    from: [`${server}/adapters/([^/]+)/`],
    may: [
      `${server}/adapters/($1|sql|in-process|disk)/`,
      `${server}/(ports|kernel)/`,
      `${server}/modules/[^/]+/[^/]+[.](store|plan)[.]ts$`,
      contract,
      coordination,
      agentProtocol,
      flow,
      definitionChecks,
      program,
      anyPackage,
      anyNodeModule,
    ],
    mayImportTypesOf: [`${server}/modules/[^/]+/index[.]ts$`],
    because:
      'an adapter may use its own folder, sql, in-process and disk (which others build upon), ports, kernel, contract, ' +
      "the code that programs share, npm, Node, modules' *.store.ts and *.plan.ts, and types of modules' index.ts",
  },
  {
    name: 'http',
    from: [`${server}/http/`],
    may: [
      `${server}/(http|kernel|ports)/`,
      '^apps/server/package[.]json$',
      contract,
      monitoring,
      program,
      npm('fastify'),
      npm('@fastify/[^/]+'),
      npm('prom-client'),
      npm('pino'),
      npm('typebox'),
      anyNodeModule,
    ],
    because:
      "src/http may use kernel, ports, contract, the code that programs share, fastify, prom-client, pino and typebox; modules' " +
      'routes use it, never the reverse',
  },
  {
    name: 'realtime',
    from: [`${server}/realtime/`],
    may: [
      `${server}/(realtime|kernel|ports)/`,
      contract,
      coordination,
      program,
      npm('lru-cache'),
      npm('socket.io'),
      npm('typebox'),
      anyNodeModule,
    ],
    because:
      'src/realtime may use kernel, ports, contract, the code that programs share, lru-cache, socket.io and typebox; ' +
      "modules' sockets use it, never the reverse",
  },
  {
    name: 'doctor-judge',
    from: [`${server}/doctor/(finding|render|judge/[^/]+)[.]ts$`],
    may: [`${server}/doctor/(finding|judge/[^/]+)[.]ts$`],
    mayImportTypesOf: [contract],
    because: 'judging an installation is pure: facts in, findings out',
  },
  {
    name: 'doctor',
    from: [`${server}/doctor/`],
    may: [`${server}/(doctor|adapters|config)/`, contract, coordination, program, anyPackage, anyNodeModule],
    because:
      'the doctor gathers facts with what the server uses itself: adapters, the configuration, npm and Node',
  },
  {
    name: 'server-root',
    from: [`${server}/app[.]ts$`, `${server}/(compose|entry|transfer)/[^/]+[.]ts$`],
    may: [
      `${server}/`,
      '^apps/server/package[.]json$',
      contract,
      agentProtocol,
      coordination,
      monitoring,
      ...language,
      program,
      functions,
      objectStore,
      modelChecks,
      anyPackage,
      anyNodeModule,
    ],
    because:
      'the composition, backups and moves, and the entries may use everything in the server, the functions, ' +
      'the object store and the checks of model servers',
  },

  // The other programs
  {
    name: 'participant-pages',
    from: [`${web}/participant/`],
    may: [
      `${web}/participant/`,
      `${web}/text/participant(-(collected|files|survey))?[.]ts$`,
      `${web}/jspsych/messages[.]ts$`,
      sharedByPages,
      contract,
      expressions,
      client,
      design,
      npm('react'),
      npm('react-dom'),
      npm('marked'),
      npm('hls.js'),
      npm('typebox'),
    ],
    because:
      'participants wait for every byte: their pages may use themselves, their texts, what both pages share, the contract, the ' +
      'expressions (loaded only for conditions), the client, the design, React, marked, hls.js (loaded only for uploaded videos) ' +
      'and typebox',
  },
  {
    name: 'console',
    from: [`${web}/console/`],
    may: [
      `${web}/console/`,
      `${web}/text/console[.]ts$`,
      sharedByPages,
      contract,
      expressions,
      networks,
      monitoring,
      client,
      design,
      anyPackage,
    ],
    because:
      "the console may use itself, its texts, what both pages share, the contract, expressions and networks (for the preview), the client, the design and npm, not the participants' " +
      'pages',
  },
  {
    name: 'jspsych-frame',
    from: [`${web}/jspsych/`],
    may: [
      `${web}/jspsych/`,
      `${web}/participant/views/reaction/load-pictures[.]ts$`,
      design,
      npm('jspsych'),
      npm('@jspsych/[^/]+'),
    ],
    mayImportTypesOf: [contract],
    because:
      'the frame of a timeline has jsPsych, its plugins and our design; what else it knows, the page tells it',
  },
  {
    name: 'shared-by-pages',
    from: [sharedByPages],
    may: [
      sharedByPages,
      `${web}/text/shared[.]ts$`,
      contract,
      npm('oauth4webapi'),
      npm('react'),
      npm('typebox'),
    ],
    because:
      'what both pages share stays small: itself, its texts, the contract, React, oauth4webapi and typebox',
  },
  {
    name: 'texts-of-a-page',
    from: [`${web}/text/([^/]+)[.]ts$`],
    may: [`${web}/text/[^/]+[.]ts$`, `${web}/text/[^/]+/$1[^/]*[.]ts$`, contract],
    because: 'each page loads only its own texts, in every language',
  },
  {
    name: 'texts-of-a-language',
    from: [`${web}/text/([^/]+)/[^/]+[.]ts$`],
    may: [`${web}/text/[^/]+[.]ts$`, `${web}/text/$1/`, `${web}/text/en/`, contract],
    because:
      'texts may use their own language, the shape of the English ones, number formats and names of the contract',
  },
  {
    name: 'web-build',
    from: ['^apps/web/(vite[.]config|without-checks)[.]ts$'],
    may: ['^apps/web/without-checks[.]ts$', design, anyPackage, anyNodeModule],
    because: 'a tool configuration uses npm and Node, and the logo',
  },
  {
    name: 'agent-tool',
    from: ['^apps/agent/'],
    may: ['^apps/agent/', contract, agentProtocol, modelChecks, anyPackage, anyNodeModule],
    because:
      'the agent tool runs on machines that have nothing else: itself, the contract, the checks of model servers and npm',
  },
  {
    name: 'other-programs',
    from: ['^apps/(router|functions)/'],
    may: ['^apps/$1/', contract, coordination, monitoring, program, client, anyPackage, anyNodeModule],
    because: 'a program may use itself, the contract, the code that programs share, the client and npm',
  },
  {
    name: 'bench',
    from: ['^bench/src/'],
    may: [
      '^bench/src/',
      `${server}/`,
      '^apps/agent/src/(engines/open-engine|front/front)[.]ts$',
      bots,
      contract,
      agentProtocol,
      coordination,
      monitoring,
      ...language,
      program,
      testkit,
      '^packages/testkit/src/bundles[.]ts$',
      anyPackage,
      anyNodeModule,
    ],
    because:
      'benchmarks look inside: the server, the front of the agent tool, the bots, the contract, the code that programs share, the test kit and npm',
  },
  {
    name: 'script-cluster',
    from: ['^scripts/cluster[.]ts$'],
    may: [testkit, anyNodeModule],
    because: 'a local cluster is the one that tests start',
  },
  {
    name: 'script-simulate',
    from: ['^scripts/simulate(-agents)?[.]ts$'],
    may: [
      '^scripts/(simulate-agents|pilot-arguments|render-pilot|study-arguments)[.]ts$',
      bots,
      contract,
      testkit,
      anyNodeModule,
    ],
    because:
      'bots or the server’s agents do the simulating: bots, the contract, the test kit that starts a server, Node, and the arguments that it shares with dry-run',
  },
  {
    name: 'script-upload',
    from: ['^scripts/upload(-media)?[.]ts$'],
    may: [
      '^scripts/(study-arguments|platform-address|upload-media)[.]ts$',
      clientForNode,
      contract,
      anyNodeModule,
    ],
    because:
      'the client does the uploading: the client, the contract, Node, and arguments that scripts share',
  },
  {
    name: 'script-export',
    from: ['^scripts/export([.]ts$|/)'],
    may: [
      '^scripts/(study-arguments|platform-address)[.]ts$',
      '^scripts/export/',
      clientForNode,
      contract,
      anyNodeModule,
    ],
    because:
      'the client does the downloading: the client, the contract, Node, and arguments that scripts share',
  },
  {
    name: 'bundle-scripts',
    from: ['^scripts/(bundle|build-start)[.]ts$'],
    may: [bundler, '^scripts/packages/', '^scripts/setup[.](mjs|d[.]mts)$', anyNodeModule],
    because: 'an image and npm start have bundled programs: the bundler, the other builds, and Node',
  },
  {
    name: 'scripts',
    from: ['^scripts/.*[.]ts$', '^scripts/(packages/)?[^/]+[.](mjs|d[.]mts)$'],
    may: [
      '^scripts/',
      `${server}/`,
      '^(apps/(router|functions)|packages/object-store)/src/config[.]ts$',
      '^apps/agent/src/presets/index[.]ts$',
      `${web}/jspsych/plugins[.]ts$`,
      contract,
      agentProtocol,
      coordination,
      monitoring,
      ...language,
      anyPackage,
      anyNodeModule,
    ],
    because:
      'scripts may use each other, the server, the configuration of the other programs, the presets of the agent tool, the plugins of jsPsych, the contract and npm',
  },
  {
    name: 'tool-configuration',
    from: ['^[^/]+[.]config[.]ts$'],
    may: ['^[^/]+[.]config[.]ts$', '^packages/testkit/src/bundles[.]ts$', anyPackage, anyNodeModule],
    because: 'a tool configuration may use its like, the bundles of the test kit, npm and Node only',
  },
]

/** The server's folders from the outside in. An import goes down, or stays in its layer. */
const serverLayers = [
  [`${server}/entry/`],
  [`${server}/app[.]ts$`, `${server}/(compose|doctor|transfer)/`],
  [`${server}/adapters/`],
  [`${server}/modules/`],
  [`${server}/(http|realtime)/`],
  [`${server}/ports/`],
  [`${server}/(config|kernel)/`],
]
/** 'error' makes an import that goes up fail the check; 'warn' lists it. */
export const importsThatGoUp: 'warn' | 'error' = 'error'

const tests = '[.](test|more)[.]ts$|/test/'

function inLayers(layers: string[][]): IForbiddenRuleType[] {
  return layers.slice(1).map((path, index) => ({
    name: `layer-${index + 1}`,
    comment: 'an import goes from the outer layers of the server to the inner ones',
    severity: importsThatGoUp,
    from: { path, pathNot: tests },
    to: { path: layers.slice(0, index + 1).flat() },
  }))
}

/** dependency-cruiser applies every rule that matches; leaving out what earlier ones cover makes the first one decide. */
function inOrder(all: Boundary[]): IForbiddenRuleType[] {
  return all.flatMap(({ name, from, may, mayImportTypesOf = [], because }, index) => {
    const earlier = all.slice(0, index).flatMap((boundary) => boundary.from)
    const rule = {
      name,
      comment: because,
      severity: 'error' as const,
      from: { path: from, ...(earlier.length > 0 && { pathNot: earlier }) },
    }
    const crossing = { ...rule, to: { pathNot: [...may, ...mayImportTypesOf] } }
    if (mayImportTypesOf.length === 0) return [crossing]
    const to = { path: mayImportTypesOf, pathNot: may, dependencyTypesNot: ['type-only' as const] }
    return [crossing, { ...rule, name: `${name}-types`, to }]
  })
}

const covered = boundaries.flatMap(({ from }) => from)
const uncovered = {
  severity: 'error' as const,
  comment: 'no boundary covers this file (dependency-cruiser.config.ts)',
}

export default {
  forbidden: [
    ...inOrder(boundaries),
    ...inLayers(serverLayers),
    {
      name: 'no-circle',
      severity: 'error',
      comment: 'files that import each other cannot be read one by one',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-found',
      severity: 'error',
      comment: 'the import leads nowhere',
      from: {},
      to: { couldNotResolve: true, pathNot: rawText },
    },
    {
      name: 'traces-are-loaded-late',
      severity: 'error',
      comment:
        'a program without a collector must not load OpenTelemetry: import() this file only where there is one',
      from: {},
      to: { path: '^packages/program/src/tracing/otlp[.]ts$', dynamic: false },
    },
    // A file that imports something, one that is only imported, and one that stands alone.
    { ...uncovered, name: 'uncovered', from: { pathNot: covered }, to: {} },
    {
      ...uncovered,
      name: 'uncovered-leaf',
      from: {},
      to: { path: '[.][cm]?[jt]sx?$', pathNot: [...covered, anyPackage] },
    },
    { ...uncovered, name: 'uncovered-orphan', from: { orphan: true, pathNot: covered }, to: {} },
  ],
  options: {
    // It reads TypeScript with typescript below 7 or with swc; ours is 7.
    parser: 'swc',
    doNotFollow: { path: anyPackage },
    exclude: { path: '^(?!.*node_modules/)((|.*/)(dist|data|coverage|[.]git)|programs)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
} satisfies IConfiguration
