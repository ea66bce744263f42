import { createHash } from 'node:crypto'
import { systemPromptOf } from '@atrium/agent-protocol'
import {
  type ExperimentDefinition,
  inLanguage,
  languagesOf,
  usesModel,
  withoutAnswerKeys,
} from '@atrium/contract'
import { readingTextOf } from './reading-text.ts'

interface Material {
  path: string
  text: string
}

/** What the manifest says about a revision. */
export interface MaterialRecord {
  revision: number
  path: string
  /** Of the file that an archive with answer keys has, so that one can tell that only they are missing. */
  publishedSha256: string
}

const definitionPath = (revision: number): string => `materials/revision-${revision}.json`

/** What people and models were shown in a revision: the definition, its texts in each language, and the prompts. */
export function materialsOf(
  revision: number,
  published: ExperimentDefinition,
  { answerKeys }: { answerKeys: boolean },
): { files: Material[]; record: MaterialRecord } {
  const path = definitionPath(revision)
  const whole = json(withoutCredentials(published))
  const definition = answerKeys ? published : withoutAnswerKeys(published)
  const texts = languagesOf(definition).map((language) => ({
    path: `materials/revision-${revision}.${language}.md`,
    text: readingTextOf(definition, language, revision),
  }))
  const prompts = promptsOf(definition)
  return {
    files: [
      { path, text: answerKeys ? whole : json(withoutCredentials(definition)) },
      ...texts,
      ...(prompts === '' ? [] : [{ path: `materials/revision-${revision}.prompts.md`, text: prompts }]),
    ],
    record: { revision, path, publishedSha256: createHash('sha256').update(whole).digest('hex') },
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** With SONA's token, whoever reads the archive could grant themselves credit. */
function withoutCredentials(definition: ExperimentDefinition): object {
  const { recruiting } = definition
  if (!recruiting?.sona) return definition
  const { creditToken: _secret, ...sona } = recruiting.sona
  return { ...definition, recruiting: { ...recruiting, sona } }
}

/** The system prompt of each agent with a model, as it is sent; states may add to it. */
function promptsOf(definition: ExperimentDefinition): string {
  const read = inLanguage(definition)
  return (read.agents ?? [])
    .filter(usesModel)
    .flatMap((agent) => [
      `# ${agent.id}\n\n${fenced(systemPromptOf({ definition: read, agent, state: undefined }))}`,
      ...read.states
        .filter((state) => (state.agentInstructions ?? '').trim() !== '')
        .map(
          (state) => `## In \`${state.id}\`\n\n${fenced(systemPromptOf({ definition: read, agent, state }))}`,
        ),
    ])
    .map((section) => `${section}\n`)
    .join('\n')
}

/** Longer than any fence in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}
