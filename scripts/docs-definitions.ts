// The definitions on a page, as a reader builds them up: a complete one, then additions to it.

import { AppError } from '../apps/server/src/kernel/app-error.ts'
import { parseDefinition } from '../apps/server/src/modules/experiments/parse-definition.ts'
import type { ExperimentDefinition } from '../packages/contract/src/index.ts'
import { type Block, placeOf } from './docs-blocks.ts'

type Definition = ExperimentDefinition & Record<string, unknown>

interface Reader {
  /** The files saved by the end of the page: name → content. */
  files: Map<string, string>
  /** The definition at the end of the page. */
  study: Definition
  /** The errors and warnings of the platform for each block. */
  problems: string[]
}

/** A complete definition that later blocks do not add to. */
const alone = 'alone'

/**
 * A block that starts with a brace is a complete definition; `json study.json` is saved under that name. A block without
 * braces is added to the last complete one and to its file, unless that is marked as `alone`.
 */
export function readerOf(blocks: Block[]): Reader {
  const files = new Map<string, string>()
  const problems: string[] = []
  let study: Definition = { name: 'A study', states: [{ id: 's1', components: [] }] }
  let file = ''
  for (const block of blocks.filter(({ language, note }) => language === 'json' && note !== 'output')) {
    try {
      const { added, isWhole } = definitionIn(block)
      const isAlone = block.note === alone
      if (isWhole && !isAlone) file = block.note
      const read = isWhole ? added : { ...study, ...added }
      if (!isAlone) study = read
      if (file !== '') files.set(file, JSON.stringify(study))
      const { warnings } = parseDefinition(read)
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
  if (isWhole && !('states' in added) && !('stages' in added))
    throw new Error('not a definition; put a response of the platform in a `json output` block')
  return { added, isWhole }
}

const reasonOf = (error: unknown): string =>
  error instanceof AppError ? `${error.message} ${JSON.stringify(error.details)}` : String(error)
