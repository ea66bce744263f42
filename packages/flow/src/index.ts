export { createAllocator, type RoomToAssign } from './allocate.ts'
export type { Assignment, Rows } from './assignment.ts'
export { blocksAround, blocksEntered, positionAfterBlock, type RoundOfBlock } from './blocks-around.ts'
export { cellFrom, stratumOf } from './cells.ts'
export { assignCondition, drawWeighted } from './conditions.ts'
export {
  type Design,
  designOf,
  hasOwnConditions,
  maxJointCells,
  strataVariablesOf,
} from './design.ts'
export { lateDesign, openingDesign } from './late-conditions.ts'
export { blockUnitsIn, type Unit } from './nesting.ts'
export { drawNetwork, rowsOfLattice } from './network/draw-network.ts'
export { type Edge, neighboursIn } from './network/graph.ts'
export {
  hasRoundAhead,
  isSameRound,
  type PayableRound,
  type Pick,
  payableBlocks,
  payableRoundAt,
  pickRounds,
} from './picked-rounds.ts'
export { nextPosition, pacingOf, planSteps, roundsOf, type Step, stepsPlayed, unitsOf } from './plan.ts'
export { planAssignment, type RevisionDesign } from './plan-assignment.ts'
export { random, shuffledBy } from './random.ts'
export { type RoleRing, roleInRound, roleRingOf } from './role-rotation.ts'
export type { Factor } from './squares.ts'
export {
  blockOfTrials,
  cellOf,
  hasTrials,
  rowsWhere,
  type Trial,
  type TrialBlock,
  type TrialRows,
  trialRowsOf,
  trialsOf,
} from './trials.ts'
