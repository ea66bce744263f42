import { routerKeys } from '../../apps/router/src/config.ts'
import { configurationKeys } from '../../apps/server/src/config.ts'
import { webKeys } from '../../apps/server/src/web-config.ts'
import { markdownFile, table } from './markdown.ts'

export function configurationPage(): string {
  const groups = Map.groupBy(configurationKeys, ({ group }) => group)
  return markdownFile([
    '# Configuration',
    'Programs are configured by environment variables alone. A bad or contradictory value stops the start with one sentence that names the key. Values of keys marked secret are never printed.',
    'The server, `npm run serve`:',
    ...[...groups].flatMap(([group, keys]) => [`## ${group}`, keysTable(keys)]),
    '## Router',
    'The router, `npm run router`, reads these and no others:',
    keysTable(routerKeys),
    '## Web app alone',
    'The server serves the web app itself where it is built. A program that serves nothing else, `npm run web`, stands beside the pods of a cluster; it reads these and no others:',
    keysTable(webKeys),
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
