import { type ExperimentDefinition, groupSizeOf, type ValidationIssue } from '@atrium/contract'
import { blockOfTrials, type Design, designOf, type Factor, maxJointCells, pacingOf } from '@atrium/flow'
import { finding, pointer } from './findings.ts'

/** F44: what the conditions and Latin squares of a definition are balanced with, in numbers. */
export function balanceNotes(definition: ExperimentDefinition): ValidationIssue[] {
  const design = designOf(definition)
  const factors = design?.factors.filter(({ levels }) => levels.length > 1) ?? []
  if (!design || factors.length === 0) return []
  const sentences = [
    ...(factors.every((factor) => isBalanced(design, factor))
      ? []
      : ['The condition is drawn for each room, without balance.']),
    ...balanceOf(design, factors, unitOf(definition)),
    ...(design.conditions?.balance === 'completed' ? ['Whoever does not complete is made up for.'] : []),
    ...beyondCapacity(definition, design),
  ]
  return [finding(pointer(definition.conditions ? 'conditions' : 'blocks'), sentences.join(' '))]
}

const isBalanced = ({ conditions }: Design, { blockId }: Factor): boolean =>
  blockId !== null || conditions?.assign !== 'random'

function balanceOf(design: Design, factors: readonly Factor[], unit: string): string[] {
  if (design.cells <= maxJointCells) return [jointly(design, factors, unit)]
  const tooMany = `${product(factors)} = ${numeral(design.cells)} cells, too many to balance together (more than ${numeral(maxJointCells)}).`
  const instead = design.groups.flatMap((group) => {
    const balanced = group.at(-1)
    if (!balanced || !isBalanced(design, balanced) || balanced.levels.length < 2) return []
    const cells = group.reduce((sum, { levels }) => sum * levels.length, 1)
    const within = group.length > 1 ? ' within each condition' : ''
    return [`${inWords(balanced)}${within} in every ${numeral(cells)} ${unit}`]
  })
  const independent = 'The orders of different blocks are independent of each other.'
  return [tooMany, `Balanced instead: ${instead.join('; ')}.`, ...(instead.length > 1 ? [independent] : [])]
}

function jointly(design: Design, factors: readonly Factor[], unit: string): string {
  const balanced = factors.filter((factor) => isBalanced(design, factor))
  if (balanced.length === 0) return ''
  const cells = balanced.reduce((sum, { levels }) => sum * levels.length, 1)
  const where = balanced.length < factors.length ? `${unit} of each condition` : unit
  const sum = balanced.length > 1 ? ` = ${numeral(cells)} cells` : ''
  return `${product(balanced)}${sum}: balanced in every ${numeral(cells)} ${where}.`
}

/** What is assigned one after another. */
function unitOf(definition: ExperimentDefinition): string {
  if (groupSizeOf(definition).max === 1) return 'participants'
  return pacingOf(definition) === 'participant' ? 'people' : 'rooms'
}

function beyondCapacity(definition: ExperimentDefinition, { cells }: Design): string[] {
  const { capacity } = definition
  if (capacity === undefined || cells > maxJointCells) return []
  const needed = cells * (unitOf(definition) === 'rooms' ? groupSizeOf(definition).min : 1)
  return capacity < needed
    ? [`With a capacity of ${numeral(capacity)}, not every cell is filled (${numeral(needed)} people).`]
    : []
}

const product = (factors: readonly Factor[]): string => factors.map(inWords).join(' × ')

function inWords({ blockId, levels }: Factor): string {
  const count = numeral(levels.length)
  if (blockId === null) return `${count} conditions`
  const ofTrials = blockOfTrials(blockId)
  return ofTrials === undefined
    ? `${count} orders of block ‘${blockId}’`
    : `${count} orders of the trials of block ‘${ofTrials}’`
}

const numeral = (value: number): string => value.toLocaleString('en')
