import { functionKeys } from '../../apps/functions/src/config.ts'
import { routerKeys } from '../../apps/router/src/config.ts'
import { configurationKeys } from '../../apps/server/src/config/server-keys.ts'
import { webKeys } from '../../apps/server/src/config/web-config.ts'
import { workerKeys } from '../../apps/server/src/config/worker-config.ts'
import { objectStoreKeys } from '../../packages/object-store/src/config.ts'
import { markdownFile, table } from './markdown.ts'

export function configurationPage(): string {
  const groups = Map.groupBy(configurationKeys, ({ group }) => group)
  return markdownFile([
    '# Configuration',
    'All programs are configured by environment variables. If a value is invalid or conflicts with another, the program does not start and names the key. Values of secret keys are never printed.',
    'For the server, `npm run serve`:',
    ...[...groups].flatMap(([group, keys]) => [`## ${group}`, keysTable(keys)]),
    '## Router',
    'The router, `npm run router`, reads only these keys:',
    keysTable(routerKeys),
    '## Web app alone',
    'If the web app is built, the server serves it. In a cluster, a separate program, `npm run web`, can serve it instead; it reads only these keys:',
    keysTable(webKeys),
    '## Object store alone',
    'The server has an object store of its own. Several instances share one S3 instead; where there is none, `npm run objects` is one. It reads only these keys:',
    keysTable(objectStoreKeys),
    '## Workers',
    'Workers, `npm run work`, transcode videos for servers that share a Redis. They read only these keys:',
    keysTable(workerKeys),
    '## Functions',
    'The two functions that work between S3, MediaConvert and the server (`apps/functions`) read only these keys:',
    keysTable(functionKeys),
  ])
}

const keysTable = (keys: typeof configurationKeys): string =>
  table(
    ['Key', 'Default', 'Meaning'],
    keys.map(({ name, description, default: value, fallback, secret }) => [
      `\`${name}\``,
      fallback ?? (value ? `\`${value}\`` : 'unset'),
      `${description}${secret ? ' (secret)' : ''}`,
    ]),
  )
