import {
  type Conditions,
  type ExperimentDefinition,
  groupSizeOf,
  type ValidationIssue,
  weightOf,
} from '@atrium/contract'
import {
  blockOfTrials,
  type Design,
  designOf,
  type Factor,
  maxJointCells,
  pacingOf,
  strataVariablesOf,
} from '@atrium/flow'
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
    ...balanceOf(design, factors, unitsAlike(definition, design)),
    ...(design.conditions?.balance === 'completed' ? ['Whoever does not complete is made up for.'] : []),
    ...beyondCapacity(definition, design),
  ]
  return [finding(pointer(definition.conditions ? 'conditions' : 'blocks'), sentences.join(' '))]
}

const isBalanced = ({ conditions }: Design, { blockId }: Factor): boolean =>
  blockId !== null || conditions?.assign !== 'random'

function balanceOf(design: Design, factors: readonly Factor[], units: Units): string[] {
  if (design.cells <= maxJointCells)
    return design.groups.flatMap((group) => {
      const some = group.filter((factor) => factors.includes(factor))
      return jointly(design, some, unitOfGroup(some, units))
    })
  const tooMany = `${product(factors)} = ${numeral(design.cells)} cells, too many to balance together (more than ${numeral(maxJointCells)}).`
  const instead = design.groups.flatMap((group) => {
    const balanced = group.at(-1)
    if (!balanced || !isBalanced(design, balanced) || balanced.levels.length < 2) return []
    const within = group.length > 1 ? ' within each condition' : ''
    return [`${inWords(balanced)}${within} in every ${numeral(turnsOf(design, group))} ${units.ofOrders}`]
  })
  const independent = 'The orders of different blocks are independent of each other.'
  return [tooMany, `Balanced instead: ${instead.join('; ')}.`, ...(instead.length > 1 ? [independent] : [])]
}

/** Among whom is balanced. */
interface Units {
  ofOrders: string
  ofConditions: string
}

/** F67, F69: conditions of people are balanced by themselves, and within each stratum. */
function unitsAlike(definition: ExperimentDefinition, design: Design): Units {
  const ofOrders = unitOf(definition)
  const variables = strataVariablesOf(definition)
  // Anything that is no variable may be in a link, also a name that was misspelt: so it is said.
  const strata = (design.conditions?.strata ?? []).map((name) =>
    variables.includes(name) ? `‘${name}’` : `‘${name}’ (from the link)`,
  )
  const alike = strata.length > 0 ? ` with the same ${strata.join(' and ')}` : ''
  return { ofOrders, ofConditions: `${design.hasOwnConditions ? 'people' : ofOrders}${alike}` }
}

const unitOfGroup = (group: readonly Factor[], { ofOrders, ofConditions }: Units): string =>
  group.some(({ blockId }) => blockId === null) ? ofConditions : ofOrders

function jointly(design: Design, factors: readonly Factor[], unit: string): string[] {
  const balanced = factors.filter((factor) => isBalanced(design, factor))
  if (balanced.length === 0) return []
  const cells = balanced.reduce((sum, { levels }) => sum * levels.length, 1)
  const turns = turnsOf(design, balanced)
  const where = balanced.length < factors.length ? `${unit} of each condition` : unit
  const sum = balanced.length > 1 ? ` = ${numeral(cells)} cells` : ''
  const shares = turns === cells ? '' : ', in the shares that the weights say'
  return [`${product(balanced)}${sum}: balanced in every ${numeral(turns)} ${where}${shares}.`]
}

/** F66: in how many people or rooms every combination comes as often as it should. */
const turnsOf = ({ conditions }: Design, factors: readonly Factor[]): number =>
  factors.reduce(
    (product, { blockId, levels }) =>
      product * (blockId === null && conditions ? sumOfShares(conditions, levels) : levels.length),
    1,
  )

/** Of the smallest whole numbers that are to each other as the weights are, up to three decimals. */
function sumOfShares(conditions: Conditions, names: readonly string[]): number {
  const parts = names.map((name) => Math.round(weightOf(conditions, name) * 1_000))
  const common = parts.reduce(greatestCommonDivisor, 0)
  return common === 0 ? names.length : parts.reduce((sum, part) => sum + part, 0) / common
}

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other)

/** What is assigned one after another. */
function unitOf(definition: ExperimentDefinition): string {
  if (groupSizeOf(definition).max === 1) return 'participants'
  return pacingOf(definition) === 'participant' ? 'people' : 'rooms'
}

function beyondCapacity(definition: ExperimentDefinition, design: Design): string[] {
  const { capacity } = definition
  if (capacity === undefined || design.cells > maxJointCells) return []
  const needed =
    turnsOf(design, design.factors) * (unitOf(definition) === 'rooms' ? groupSizeOf(definition).min : 1)
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
