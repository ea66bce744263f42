import {
  type Component,
  changeComponentTexts,
  type ExperimentDefinition,
  inLanguage,
  type State,
} from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'

/**
 * Everything that people could read in one language, in the order of the study. Values in texts stay as they are written
 * (`{{points}}`), because they differ between people.
 */
export function readingTextOf(written: ExperimentDefinition, language: string, revision: number): string {
  const definition = inLanguage(written, language)
  const { name, consent, paradata = [], states, globalComponents = [] } = definition
  return [
    `# ${name}`,
    `Revision ${revision}, in \`${language}\`: what people could read, in the order of the definition. Values in double braces were filled in for each person.`,
    ...(consent ? ['## Consent', consent.text ?? '', measuredLine(paradata)] : []),
    ...states.flatMap(stateLines),
    ...(globalComponents.length > 0
      ? ['## On several pages', ...globalComponents.flatMap(componentLines)]
      : []),
  ]
    .filter((line) => line.trim() !== '')
    .map((line) => `${line}\n`)
    .join('\n')
}

/** The platform's own words for these are a list below the text. */
const measuredLine = (paradata: readonly string[]): string =>
  paradata.length === 0
    ? ''
    : `Below this text, the page listed what it measures besides the answers: ${paradata.map((kind) => `\`${kind}\``).join(', ')}.`

function stateLines({ id, name, roles, instructions, components, end }: State): string[] {
  return [
    `## ${name ?? id} (\`${id}\`${onlyFor(roles)})`,
    instructions ?? '',
    ...components.flatMap(componentLines),
    ...(end?.on === 'button' && end.label !== undefined ? [`Button: ${end.label}`] : []),
  ]
}

function componentLines(component: Component): string[] {
  const texts: string[] = []
  changeComponentTexts(component, (text, { format, path }) => {
    if (typeof text === 'string' && text.trim() !== '') texts.push(lineOf(text, format, path))
    return text
  })
  const { title } = componentTypeOf(component.type)
  const heading = `### \`${component.id}\` (${title === 'Unknown type' ? component.type : title}${onlyFor(component.roles)})`
  return [heading, ...texts]
}

/** What stands in a list, such as an option, is a list item here too. */
function lineOf(text: string, format: 'plain' | 'markdown' | 'html', path: string): string {
  if (format === 'html') return `\`\`\`html\n${text}\n\`\`\``
  return /\/\d+(\/|$)/.test(path) ? `- ${text.replaceAll('\n', '\n  ')}` : text
}

const onlyFor = (roles: readonly string[] | undefined): string =>
  roles && roles.length > 0 ? `, only for ${roles.join(', ')}` : ''
