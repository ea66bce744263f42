// The definitions of a page, as a reader builds them up: a whole one, then what is added to it.
import type { ExperimentDefinition } from '@atrium/contract'
import { AppError } from '../apps/server/src/kernel/app-error.ts'
import { parseDefinition } from '../apps/server/src/modules/experiments/parse-definition.ts'
import { type Block, placeOf } from './docs-blocks.ts'

type Definition = ExperimentDefinition & Record<string, unknown>

interface Reader {
  /** The files that they have saved in the end: name → content. */
  files: Map<string, string>
  /** What they have built up in the end. */
  study: Definition
  /** What the platform would say about each of the blocks. */
  problems: string[]
}

/**
 * A block that begins with a brace is a whole definition; `json study.json` is saved under that name. One without braces is
 * added to the last whole one, in its file as well.
 */
export function readerOf(blocks: Block[]): Reader {
  const files = new Map<string, string>()
  const problems: string[] = []
  let study: Definition = { name: 'A study', states: [{ id: 's1', components: [] }] }
  let file = ''
  for (const block of blocks.filter(({ language, note }) => language === 'json' && note !== 'output')) {
    try {
      const { added, isWhole } = definitionIn(block)
      if (isWhole) file = block.note
      study = isWhole ? added : { ...study, ...added }
      if (file !== '') files.set(file, JSON.stringify(study))
      const { warnings } = parseDefinition(study)
      problems.push(...warnings.map(({ path, message }) => `${placeOf(block)}: ${path} ${message}`))
    } catch (error) {
      problems.push(`${placeOf(block)}: ${reasonOf(error)}`)
    }
  }
  return { files, study, problems }
}

function definitionIn({ text }: Block): { added: Definition; isWhole: boolean } {
  const isWhole = text.trimStart().startsWith('{')
  const added = JSON.parse(isWhole ? text : `{${text}}`)
  if (isWhole && !('states' in added))
    throw new Error('it is no definition; an answer of the platform stands in a block `json output`')
  return { added, isWhole }
}

const reasonOf = (error: unknown): string =>
  error instanceof AppError ? `${error.message} ${JSON.stringify(error.details)}` : String(error)
