import { configurationKeys } from '../../apps/server/src/config.ts'
import { markdownFile, table } from './markdown.ts'

export function configurationPage(): string {
  const groups = Map.groupBy(configurationKeys, ({ group }) => group)
  return markdownFile([
    '# Configuration',
    'The server is configured by environment variables alone. A bad or contradictory value stops the start with one sentence that names the key. Values of keys marked secret are never printed.',
    ...[...groups].flatMap(([group, keys]) => [
      `## ${group}`,
      table(
        ['Key', 'Default', 'Meaning'],
        keys.map(({ name, description, default: fallback, secret }) => [
          `\`${name}\``,
          fallback ? `\`${fallback}\`` : 'unset',
          `${description}${secret ? ' (secret)' : ''}`,
        ]),
      ),
    ]),
  ])
}
